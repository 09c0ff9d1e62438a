/** Messages between an engine's handle and its worker. */

/** What the handle sends: first the module, then the book, then lines. */
export type Request =
  | { type: "module"; module: WebAssembly.Module; stopped: Int32Array | null; trial: string | null }
  | { type: "book"; book: Uint8Array | null }
  | { type: "line"; number: number; line: string; signal: string | null };

/** What the worker sends: `started` after the book. `done` follows the last line of output of each line of input. */
export type Response =
  | { type: "started"; isStoppable: boolean }
  | { type: "line"; line: string }
  | { type: "done"; number: number; goesOn: boolean }
  | { type: "failed"; message: string };

/** The port of a worker, whichever system it runs in. */
export interface Port {
  post(message: Response): void;
  listen(listener: (request: Request) => void): void;
}
