import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { engineFiles } from "./build/engine_files";
import { singleFile } from "./build/single_file";

export default defineConfig({
  plugins: [engineFiles(), svelte(), singleFile("page.html")],
  base: "./",
  build: {
    outDir: "../dist",
    // The folder also has the book, which is not made here.
    emptyOutDir: false,
    target: "es2022",
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  worker: { format: "iife", plugins: () => [engineFiles()] },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
