import { readFileSync } from "node:fs";
import { initSync, readGame } from "../../engine/package/src/wasm/plumb_wasm.js";
import { setReader } from "../src/game/reader";

initSync({ module: readFileSync(new URL("../../engine/package/dist/plumb.wasm", import.meta.url)) });
setReader(readGame);
