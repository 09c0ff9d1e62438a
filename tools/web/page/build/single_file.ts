/** Puts script, style and a Content-Security-Policy with their hashes into the page. */

import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows only the script and style in the page. */
function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    "connect-src 'self' blob: data:",
    "img-src 'self' data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

export function singleFile(name: string): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    apply: "build",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      let page = "";
      for (const [file, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (file.endsWith(".css")) style += String(part.source);
        else if (file.endsWith(".html")) page = String(part.source);
        delete bundle[file];
      }
      // A script in a page must not contain the end of a script or the beginning of a comment.
      script = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3C!--").trim();
      style = style.trim();
      const html = page
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace(
          "<!-- plumb-policy -->",
          () => `<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}" />`,
        )
        .replace("<!-- plumb-style -->", () => `<style>${style}</style>`)
        .replace("<!-- plumb-script -->", () => `<script type="module">${script}</script>`);
      this.emitFile({ type: "asset", fileName: name, source: html });
    },
  };
}
