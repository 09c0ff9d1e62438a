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
export async function connect(book: Promise<Uint8Array | null>): Promise<LinePort> {
  return Engine.create({
    worker: () => new EngineWorker(),
    wasm: engineModule,
    book: book.then((bytes) => bytes ?? false),
  });
}

/** The module, which all engines of the page share. It is compiled while the page is drawn. */
const engineModule = compile();

async function compile(): Promise<WebAssembly.Module> {
  const text = atob(compressed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
