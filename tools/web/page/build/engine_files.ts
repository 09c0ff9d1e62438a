/** The WebAssembly module as text in the page, without files to fetch. */

import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const MODULE = "virtual:engine-module";
/** Placeholder until the script is minified, because the minifier chooses names by all letters. */
const PLACEHOLDER = "@@engine-module@@";
const resolvePackage = createRequire(import.meta.url).resolve;

/**
 * Base 85: four bytes as five digits, shorter than base64. Digits are characters from `#`, with `x` for the backslash. A last
 * group of n bytes has n + 1 digits.
 */
function toDigits(bytes: Buffer): string {
  const padded = Buffer.concat([bytes, Buffer.alloc(3)]);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let rest = padded.readUInt32BE(at);
    let group = "";
    for (let digit = 0; digit < 5; digit++, rest = Math.floor(rest / 85)) {
      group = String.fromCharCode(35 + (rest % 85)) + group;
    }
    text += group;
  }
  return text.slice(0, Math.ceil((bytes.length * 5) / 4)).replaceAll("\\", "x");
}

/** `virtual:engine-module`: the compressed module in base 85. */
export function engineFiles(): Plugin {
  let folder = "";
  let isBuild = false;
  const compressed = (): Buffer => gzipSync(readFileSync(resolvePackage("plumb-engine/plumb.wasm")), { level: 9 });
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
      return `export default ${JSON.stringify(isBuild ? PLACEHOLDER : toDigits(compressed()))};`;
    },
    // The page passes the files to the package, so Vite must not bundle them.
    transform: (code, id) =>
      /(engine\/package|plumb-engine)\/dist\/\w+\.js/.test(id)
        ? code.replaceAll("import.meta.url", "globalThis.location.href")
        : null,
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") part.code = part.code.replaceAll(PLACEHOLDER, () => toDigits(compressed()));
      }
    },
    closeBundle() {
      if (!isBuild) return;
      mkdirSync(folder, { recursive: true });
      copyFileSync(resolvePackage("plumb-engine/plumb.book"), resolve(folder, "plumb.book"));
    },
  };
}
