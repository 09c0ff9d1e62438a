/** The worker of a page. Use it through `Engine`. */

import type { Request } from "./messages.js";
import { serve } from "./serve.js";

serve({
  post: (message) => self.postMessage(message),
  listen: (listener) => self.addEventListener("message", (event: MessageEvent<Request>) => listener(event.data)),
});
