
import { parentPort } from "node:worker_threads";

import { serve } from "./serve.js";

const port = parentPort;
if (port === null) throw new Error("plumb-engine/dist/node_worker.mjs runs in a worker only");
serve({
  post: (message) => port.postMessage(message),
  listen: (listener) => port.on("message", listener),
});
