/** What the page needs from the package `plumb-engine`: its module as text, and no file that is fetched by itself. */

import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const MODULE = "virtual:engine-module";
/** Stands for the module until the script is minified: the names that the minifier gives depend on all letters it sees. */
const PLACEHOLDER = "@@engine-module@@";
const resolvePackage = createRequire(import.meta.url).resolve;

/** Gives `virtual:engine-module`: the WebAssembly module, compressed, in base64. */
export function engineFiles(): Plugin {
  let folder = "";
  let isBuild = false;
  const compressed = (): string =>
    gzipSync(readFileSync(resolvePackage("plumb-engine/plumb.wasm")), { level: 9 }).toString("base64");
  return {
    name: "engine-files",
    enforce: "pre",
    configResolved(config) {
      isBuild = config.command === "build";
      folder = resolve(config.root, config.build.outDir);
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      return `export default ${JSON.stringify(isBuild ? PLACEHOLDER : compressed())};`;
    },
    // The package finds its own files with `import.meta.url`; the page hands them over, so they are not to be bundled.
    transform: (code, id) =>
      /(engine\/package|plumb-engine)\/dist\/\w+\.js/.test(id)
        ? code.replaceAll("import.meta.url", "globalThis.location.href")
        : null,
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") part.code = part.code.replaceAll(PLACEHOLDER, compressed);
      }
    },
    closeBundle() {
      if (!isBuild) return;
      mkdirSync(folder, { recursive: true });
      copyFileSync(resolvePackage("plumb-engine/plumb.book"), resolve(folder, "plumb.book"));
    },
  };
}
