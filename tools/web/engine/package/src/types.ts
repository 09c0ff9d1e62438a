/** Public types. They need neither the types of `dom` nor of Node. */

/** A file: bytes or an address. A name is relative to the page, in Node to the current directory. */
export type File = ArrayBuffer | Uint8Array | { readonly href: string } | string;

export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: any) => void): void;
}
