import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import type { Response } from "./messages.js";
import { runIn, system } from "./system.js";

export * from "./index.js";

const page = system();

/** Bundlers find these files by `import.meta`. CommonJS bundles lack `import.meta`. */
const copies =
  import.meta.url === undefined
    ? {}
    : {
        wasm: new URL("./plumb.wasm", import.meta.url),
        book: new URL("./plumb.book", import.meta.url),
        worker: new URL("./node_worker.mjs", import.meta.url),
      };

/**
 * The bundler's copy of a file, or the file next to this module. Next.js with webpack returns a path of the site, which is
 * not a file.
 */
const own = (copy: URL | undefined, name: string): URL =>
  copy?.href.startsWith("file:") ? copy : new URL(name, import.meta.url ?? pathToFileURL(__filename).href);

/** Turbopack refuses `new Worker` with an address that is not literal. */
class Thread extends Worker {}

runIn({
  isIsolated: () => true,
  files: () => ({ wasm: own(copies.wasm, "plumb.wasm"), book: own(copies.book, "plumb.book") }),
  // A path or an address with a scheme. A single letter is a drive of Windows.
  resolve: (file) => (/^[a-z][a-z\d+.-]+:/i.test(file) ? new URL(file) : pathToFileURL(file)),
  read: async (url) => (url.protocol === "file:" ? new Uint8Array(await readFile(url)) : page.read(url)),
  start(receive, fail) {
    const worker = new Thread(own(copies.worker, "node_worker.mjs"));
    worker.on("message", (message: Response) => receive(message));
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`the worker has ended with code ${code}`)));
    return worker;
  },
});
