// Serves tools/web/dist or another folder for the tests.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", wasm: "application/wasm" };

/** Starts on a free port by default. `headers` go with each answer. */
export function serve(port = 0, { root: ROOT = DIST, headers = {} } = {}) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, "http://localhost").pathname).replace(/^[/\\]+/, "");
    const file = join(ROOT, path);
    try {
      if (!file.startsWith(ROOT) || !statSync(file).isFile()) throw new Error("no file");
    } catch {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[file.split(".").pop()] ?? "application/octet-stream";
    response.writeHead(200, { "Content-Type": type, ...headers });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () => resolve({ server, address: `http://127.0.0.1:${server.address().port}` })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address } = await serve(Number(process.argv[2] ?? 8060));
  console.log(`${address}/page.html`);
}
