/** The worker: the engine on a thread of its own. Its messages are those of `messages.ts`; use it through `Engine`. */

import type { Port, Request, Response } from "./messages.js";
import { StopReader } from "./stop_signal.js";
import { initSync, Session } from "./wasm/plumb_wasm.js";

/** The port of this worker. */
async function openPort(): Promise<Port> {
  if (typeof WorkerGlobalScope !== "undefined") {
    return {
      post: (message) => self.postMessage(message),
      listen: (listener) => self.addEventListener("message", (event: MessageEvent<Request>) => listener(event.data)),
    };
  }
  const { parentPort } = await import(/* @vite-ignore */ "node:worker_threads");
  if (parentPort === null) throw new Error("plumb-engine/worker runs in a worker only");
  return {
    post: (message) => parentPort.postMessage(message),
    listen: (listener) => parentPort.on("message", listener),
  };
}

declare const WorkerGlobalScope: unknown;

function serve(port: Port): void {
  let session: Session | null = null;
  let stop: StopReader | null = null;
  const attempt = (action: () => Response | null): void => {
    try {
      const response = action();
      if (response !== null) port.post(response);
    } catch (error) {
      port.post({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  };
  port.listen((request) =>
    attempt(() => {
      if (request.type === "module") {
        initSync({ module: request.module });
        const reader = new StopReader(request.stopped, request.trial);
        stop = reader;
        session = new Session(
          (line: string) => port.post({ type: "line", line }),
          () => reader.isStopped(),
        );
        return null;
      }
      if (request.type === "book") {
        if (request.book !== null) session?.setBook(request.book);
        return { type: "started", isStoppable: stop?.isStoppable ?? false };
      }
      stop?.begin(request.number, request.signal);
      const goesOn = session?.line(request.line) ?? false;
      return { type: "done", number: request.number, goesOn };
    }),
  );
}

openPort().then(serve);
