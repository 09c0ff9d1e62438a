import { defineConfig } from "@playwright/test";

/** Browsers of the system, or CHROMIUM and FIREFOX. */
export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "results",
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1280, height: 900 },
  },
  projects: [
    {
      name: "chromium",
      use: {
        browserName: "chromium",
        launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" },
      },
    },
    {
      name: "firefox",
      // These tests do not depend on the browser.
      testIgnore: ["boards.spec.ts", "next.spec.ts"],
      grepInvert: /@chromium/,
      // An ordinary Firefox, driven by WebDriver BiDi.
      use: {
        browserName: "firefox",
        channel: "moz-firefox",
        launchOptions: { executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" },
      },
    },
  ],
});
