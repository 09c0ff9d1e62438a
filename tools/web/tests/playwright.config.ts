import { defineConfig } from "@playwright/test";

/** The browsers are the system's own; CHROMIUM and FIREFOX name others. */
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
      // Bundlers, sizes of boards, scores and looks do not depend on the browser.
      testIgnore: ["boards.spec.ts", "next.spec.ts"],
      grepInvert: /@chromium/,
      // The channel of a Firefox that Playwright has not patched: it is driven by WebDriver BiDi.
      use: {
        browserName: "firefox",
        channel: "moz-firefox",
        launchOptions: { executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" },
      },
    },
  ],
});
