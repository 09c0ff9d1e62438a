import { system } from "./system.js";
import type { File } from "./types.js";

/** The bytes of a file. Errors name the file. */
export async function read(file: File): Promise<Uint8Array> {
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  return system().read(address(file));
}

/** The compiled module. */
export async function compile(module: File | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (module instanceof WebAssembly.Module) return module;
  const file = module as File;
  const bytes = await read(file);
  if (![0, 0x61, 0x73, 0x6d].every((byte, place) => bytes[place] === byte)) {
    const name = file instanceof Uint8Array || file instanceof ArrayBuffer ? "wasm" : address(file).href;
    throw new Error(`${name}: no module of WebAssembly`);
  }
  return WebAssembly.compile(bytes as BufferSource);
}

/** Bundlers return an object whose `href` may lack the origin. */
const address = (file: { readonly href: string } | string): URL =>
  system().resolve(typeof file === "string" ? file : file.href);
