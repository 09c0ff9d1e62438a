import type { Request, Response } from "./messages.js";
import type { WorkerLike } from "./types.js";

export interface Started {
  postMessage(message: Request): void;
  terminate(): unknown;
}

export interface System {
  isIsolated(): boolean;
  files(): { wasm: URL; book: URL };
  resolve(file: string): URL;
  read(url: URL): Promise<Uint8Array>;
  start(receive: (message: Response) => void, fail: (error: Error) => void): Started;
}

/** Address of a classic script, which lacks `import.meta`. */
const classic = typeof document === "undefined" ? null : (document.currentScript as HTMLScriptElement | null)?.src;

const besideClassic = (name: string): URL => new URL(name, classic || globalThis.location.href);

/** Listens to a worker of a page. An error at its start has `name`. */
export function listen(
  worker: WorkerLike,
  receive: (message: Response) => void,
  fail: (error: Error) => void,
  name = "the worker",
): Started {
  worker.addEventListener("message", (event: MessageEvent<Response>) => receive(event.data));
  worker.addEventListener("error", (event: ErrorEvent) =>
    fail(new Error(event.message ? `the worker: ${event.message}` : `${name} cannot be started as a worker`)),
  );
  return worker;
}

const page: System = {
  isIsolated: () => globalThis.crossOriginIsolated === true,
  // Bundlers find the files by `import.meta`, which is empty in a classic script.
  files: () =>
    import.meta.url === undefined
      ? { wasm: besideClassic("plumb.wasm"), book: besideClassic("plumb.book") }
      : { wasm: new URL("./plumb.wasm", import.meta.url), book: new URL("./plumb.book", import.meta.url) },
  resolve: (file) => new URL(file, typeof document === "undefined" ? globalThis.location.href : document.baseURI),
  async read(url) {
    const response = await fetch(url).catch((error: unknown) => {
      throw new Error(`${url.href}: ${error instanceof Error ? error.message : String(error)}`);
    });
    if (!response.ok) throw new Error(`${url.href}: the server answers ${response.status}`);
    if (response.headers.get("content-type")?.startsWith("text/html"))
      throw new Error(`${url.href}: the server answers with a page of HTML in place of the file`);
    return new Uint8Array(await response.arrayBuffer());
  },
  start(receive, fail) {
    // Bundlers look for exactly these words.
    const worker =
      import.meta.url === undefined
        ? new Worker(besideClassic("worker.js"), { type: "module" })
        : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    return listen(worker, receive, fail, import.meta.url === undefined ? besideClassic("worker.js").href : "worker.js");
  },
};

let current = page;

export const system = (): System => current;

export function runIn(other: System): void {
  current = other;
}
