/** Messages between an engine and its worker. */

/** To the worker: first the module, then the book, then lines. */
export type Request =
  | { type: "module"; module: WebAssembly.Module; stopped: Int32Array | null; trial: string | null }
  | { type: "book"; book: Uint8Array | null }
  | { type: "line"; number: number; line: string; signal: string | null };

/** From the worker. `started` follows the book. `done` follows the output of a line. */
export type Response =
  | { type: "started"; isStoppable: boolean }
  | { type: "line"; line: string }
  | { type: "done"; number: number; goesOn: boolean }
  | { type: "failed"; message: string };

export interface Port {
  post(message: Response): void;
  listen(listener: (request: Request) => void): void;
}
