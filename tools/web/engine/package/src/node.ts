/** The package in Node: files from the disk and threads as workers. */

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import type { Response } from "./messages.js";
import { runIn, system } from "./system.js";

export * from "./index.js";

const page = system();

runIn({
  isIsolated: () => true,
  // A path, unless it begins with the scheme of an address; one letter is a drive of Windows.
  resolve: (file) => (/^[a-z][a-z\d+.-]+:/i.test(file) ? new URL(file) : pathToFileURL(file)),
  read: async (url) => (url.protocol === "file:" ? new Uint8Array(await readFile(url)) : page.read(url)),
  start(receive, fail) {
    const worker = new Worker(new URL("./node_worker.js", import.meta.url));
    worker.on("message", (message: Response) => receive(message));
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`the worker has ended with code ${code}`)));
    return worker;
  },
});
