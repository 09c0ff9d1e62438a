/** Starts the engine in a worker. The only module that imports `plumb-engine`. */

import { Engine } from "plumb-engine";
import EngineWorker from "plumb-engine/worker?worker&inline";
import compressed from "virtual:engine-module";
import init, { readGame } from "../../../engine/package/src/wasm/plumb_wasm.js";
import { setReader } from "../game/reader";

export interface LinePort {
  postMessage(line: string): void;
  onmessage: ((event: { readonly data: string }) => void) | null;
  onerror: ((error: Error) => void) | null;
  terminate(): void;
}

export async function connect(book: Promise<Uint8Array | null>): Promise<LinePort> {
  return Engine.create({
    worker: () => new EngineWorker(),
    wasm: engineModule,
    book: book.then((bytes) => bytes ?? false),
  });
}

const engineModule = compile();

async function compile(): Promise<WebAssembly.Module> {
  const text = `${compressed.replaceAll("x", "\\")}wwww`;
  const length = Math.floor((compressed.length * 4) / 5);
  const view = new DataView(new ArrayBuffer(length + 3));
  for (let at = 0; (at / 5) * 4 < length; at += 5) {
    let word = 0;
    for (let digit = at; digit < at + 5; digit++) word = word * 85 + text.charCodeAt(digit) - 35;
    view.setUint32((at / 5) * 4, word);
  }
  const stream = new Blob([view.buffer.slice(0, length)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Loads the reader of games: an instance of the module in the thread of the page. */
export async function loadReader(): Promise<void> {
  try {
    await init({ module_or_path: await engineModule });
    setReader(readGame);
  } catch {
  }
}
