/** Types of the package's interface. They need neither the types of pages (`dom`) nor those of Node. */

/** A file: its bytes, or where it is. A name is relative to the page, or in Node to the current directory. */
export type File = ArrayBuffer | Uint8Array | { readonly href: string } | string;

/** A worker of a page, as far as it is needed. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: any) => void): void;
}
