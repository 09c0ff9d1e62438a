// Screenshots of the built page: node tests/pictures.mjs [FOLDER] [RECORD]
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { serve } from "./server.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(HERE, "pictures");
const record = readFileSync(process.argv[3] ?? join(HERE, "data", "match.jsonl"));
const GAME = "#444441113322255635";
const BOARDS = {
  "9x7": "#9x7:6613325933877266848738139881238712116257",
  "4x4": "#4x4:121",
  "25x4": "#25x4:aybx",
  "4x31": "#4x31:1234",
};
const SIZES = {
  desk: { width: 1360, height: 860 },
  phone: { width: 390, height: 844 },
  side: { width: 844, height: 390 },
};

const { server, address } = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
mkdirSync(folder, { recursive: true });
for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", deviceScaleFactor: 1 });
    const page = await context.newPage();
    const picture = (name) =>
      page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: size === "phone" });

    await page.goto(`${address}/page.html#play`);
    for (const key of ["4", "3", "5"]) {
      await page.locator('button.column[aria-disabled="false"]').first().waitFor();
      await page.keyboard.press(key);
    }
    await page.getByText("Your move.").waitFor();
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByTestId("hint").waitFor();
    await picture("play");
    await page.getByRole("button", { name: "Resign" }).click();
    await picture("play-over");

    await page.goto(`${address}/page.html${GAME}`);
    await page.locator('[data-testid="figures"][data-state="solved"]').waitFor({ timeout: 60_000 });
    await page.waitForTimeout(3000);
    await picture("analyse");
    for (const tab of ["Open", "Copy", "Settings", "Moves"]) {
      await page.getByRole("tab", { name: tab }).click();
      await picture(`analyse-${tab.toLowerCase()}`);
    }

    await page.getByRole("button", { name: "Set up a position" }).click();
    await picture("set-up");

    for (const [name, hash] of Object.entries(BOARDS)) {
      await page.goto(`${address}/page.html${hash}`);
      await page.waitForTimeout(3000);
      await picture(`analyse-${name}`);
    }

    await page.goto(`${address}/page.html#watch`);
    await page.getByTestId("file").setInputFiles({ name: "match.jsonl", mimeType: "text/plain", buffer: record });
    await page.getByTestId("standings").waitFor();
    await page.keyboard.press("ArrowLeft");
    await picture("watch");
    await page.getByRole("button", { name: "Help" }).click();
    await page.waitForTimeout(100);
    await picture("help");
    await context.close();
  }
}
await browser.close();
server.close();
