import { defineConfig } from "@playwright/test";

/** The browser is the system's own; CHROMIUM names another one. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "results",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" },
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1280, height: 900 },
  },
});
