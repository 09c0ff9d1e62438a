/** The engine's files, from wherever they are. */

/** A file: its bytes, or where it is. */
export type File = ArrayBuffer | Uint8Array | URL | string;

/** The bytes of a file. Fails with a sentence that names it. */
export async function read(file: File): Promise<Uint8Array> {
  if (file instanceof Uint8Array) return file;
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  const url = new URL(file, import.meta.url);
  if (url.protocol === "file:" && typeof process !== "undefined") {
    const { readFile } = await import(/* @vite-ignore */ "node:fs/promises");
    return new Uint8Array(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The module, compiled, from a file or as it is. */
export async function compile(module: File | WebAssembly.Module): Promise<WebAssembly.Module> {
  if (module instanceof WebAssembly.Module) return module;
  return WebAssembly.compile((await read(module)) as BufferSource);
}
