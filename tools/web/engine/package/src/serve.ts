/** The engine in its own thread, with the messages of `messages.ts`. */

import type { Port, Response } from "./messages.js";
import { StopReader } from "./stop_signal.js";
import { initSync, Session } from "./wasm/plumb_wasm.js";

export function serve(port: Port): void {
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
