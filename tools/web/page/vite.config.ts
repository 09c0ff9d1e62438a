import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { engineFiles } from "./build/engine_files";
import { singleFile } from "./build/single_file";

const engine = JSON.parse(readFileSync(new URL("../engine/package/package.json", import.meta.url), "utf8"));
const source: string = engine.repository?.url ?? engine.repository ?? "";

export default defineConfig({
  plugins: [engineFiles(), svelte(), singleFile("page.html")],
  define: {
    VERSION: JSON.stringify(engine.version),
    LICENCE: JSON.stringify(engine.license),
    SOURCE: JSON.stringify(source.replace(/^git\+|\.git$/g, "")),
  },
  base: "./",
  build: {
    outDir: "../dist",
    // The folder also contains the book.
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  worker: { format: "iife", plugins: () => [engineFiles()] },
  test: { include: ["test/**/*.test.ts"], environment: "node", setupFiles: ["test/setup.ts"] },
});
