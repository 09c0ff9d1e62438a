/** Puts the script and the style into the page, and the page's Content-Security-Policy with their hashes. */

import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The page's own policy: nothing from outside, no script and no style but those in it. */
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
      // Neither the end of a script nor the beginning of a comment may stand in a script that is part of a page.
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
