/** Starts the engine in a worker. The only module that knows where the engine comes from. */

import { Engine } from "plumb-engine";
import EngineWorker from "plumb-engine/worker?worker&inline";
import compressed from "virtual:engine-module";

/** An engine that takes lines and gives lines. */
export interface LinePort {
  postMessage(line: string): void;
  onmessage: ((event: { readonly data: string }) => void) | null;
  onerror: ((error: Error) => void) | null;
  terminate(): void;
}

/** Starts an engine, with an opening book or without one. */
export async function connect(book: Uint8Array | null): Promise<LinePort> {
  // A worker keeps its copies of the files: a second engine needs its own.
  return Engine.create({ worker: () => new EngineWorker(), wasm: await engineModule(), book: book ?? false });
}

async function engineModule(): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob(compressed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
