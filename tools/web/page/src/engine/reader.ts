/** The engine's reader of games: an instance of the module in the page's own thread, without a search. */

import init, { readGame } from "../../../engine/package/src/wasm/plumb_wasm.js";
import { setReader } from "../game/reader";
import { engineModule } from "./connection";

/** Loads the reader. Without it the page plays and watches, and every text is refused with a sentence. */
export async function loadReader(): Promise<void> {
  try {
    await init({ module_or_path: await engineModule });
    setReader(readGame);
  } catch {
    // The engine reports the failure.
  }
}
