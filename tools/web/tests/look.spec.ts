import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { drop, expect, expectAccessible, expectLook, open, reload, solved, test } from "./fixtures";

const data = (name: string): string => readFileSync(new URL(`data/${name}`, import.meta.url), "utf8");

const STATES: Record<string, (page: Page) => Promise<void>> = {
  play: async (page) => {
    await open(page, "#play");
    await page.keyboard.press("4");
    await expect(page.getByTestId("status")).toHaveText("Your move.");
    await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.getByTestId("hint")).toBeVisible();
  },
  analyse: async (page) => {
    await open(page, "#44444111332225");
    await solved(page);
    await expect(page.locator(".blunder").first()).toBeVisible({ timeout: 40_000 });
  },
  "the end of a game": async (page) => {
    await open(page, "#play/4343434");
    await expect(page.getByTestId("status")).toHaveText("Plumb has won!");
  },
  "set-up": async (page) => {
    await open(page, "#444");
    await page.getByRole("button", { name: "Set up a position" }).click();
  },
  "empty watch": async (page) => open(page, "#watch"),
  watch: async (page) => {
    await open(page, "#watch");
    await drop(page, { "match.jsonl": data("match.jsonl"), "summary.json": data("summary.json") });
    await page.getByText("Pair by pair").click();
    await expect(page.getByRole("region", { name: "Pairs" })).toBeVisible();
  },
  help: async (page) => {
    await open(page, "#play");
    await page.getByRole("button", { name: "Help" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  fault: async (page) => {
    await open(page, "#999");
    await expect(page.getByTestId("fault")).toBeVisible();
  },
};

for (const [name, show] of Object.entries(STATES)) {
  test(`axe finds nothing and nothing scrolls sideways: ${name}`, { tag: "@chromium" }, async ({ page }) => {
    await show(page);
    await expectLook(page);
    await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
    await expectAccessible(page);
  });
}

for (const [width, height] of [
  [844, 390],
  [640, 360],
] as const) {
  test(`board beside panel at ${width}x${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const [hash, part] of [
      ["#play", page.getByTestId("status")],
      ["#4455", page.getByTestId("headline")],
    ] as const) {
      await open(page, hash);
      const board = page.locator(".frame");
      await expect(board).toBeInViewport({ ratio: 1 });
      const [left, right] = [(await board.boundingBox())!, (await part.boundingBox())!];
      expect(right.x).toBeGreaterThanOrEqual(left.x + left.width);
      expect(right.y).toBeLessThan(left.y + left.height);
    }
  });
}

test("a high board fits into the window of a desk", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, "#4x31:1234");
  await expect(page.locator(".frame")).toBeInViewport({ ratio: 1 });
});

test("help is one screen, and a click beside it closes it", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await STATES.help!(page);
  const dialog = page.getByRole("dialog", { name: "Help" });
  expect(await dialog.evaluate((dialog) => dialog.scrollHeight - dialog.clientHeight)).toBeLessThanOrEqual(0);
  await page.mouse.click(20, 400);
  await expect(dialog).toBeHidden();
});

test("on paper there are board and moves, and nothing to click", async ({ page, browserName }) => {
  test.skip(browserName === "firefox", "WebDriver BiDi cannot emulate paper");
  await STATES.analyse!(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".frame")).toBeVisible();
  await expect(page.getByRole("button", { name: "Hint" }).or(page.locator("nav"))).toBeHidden();
});

test("the switch of colours", async ({ page }) => {
  await open(page);
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const system = await colour();
  await page.getByRole("button", { name: "Colours: system" }).click();
  await page.getByRole("button", { name: "Colours: light" }).click();
  await expect(page.getByRole("button", { name: "Colours: dark" })).toBeVisible();
  expect(await colour()).not.toBe(system);
  await reload(page);
  expect(await colour()).not.toBe(system);
});

test("the colours of the system are followed, by one handler", async ({ page, browserName }) => {
  test.skip(browserName === "firefox", "WebDriver BiDi cannot emulate a change of colours");
  await page.addInitScript(() => {
    const { matchMedia } = window;
    Object.assign(window, { queries: 0 });
    window.matchMedia = (query) => {
      if (query.includes("color-scheme")) (window as unknown as { queries: number }).queries += 1;
      return matchMedia.call(window, query);
    };
  });
  await page.emulateMedia({ colorScheme: "light" });
  await open(page);
  for (const colorScheme of ["dark", "light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
  }
  expect(await page.evaluate("queries")).toBe(1);
});

test("the page from disk plays, and says that it has no book", async ({ page }) => {
  await page.goto(`file://${fileURLToPath(new URL("../dist/page.html", import.meta.url))}`);
  await expect(page.getByTestId("no-book")).toBeVisible();
  await page.keyboard.press("4");
  await expect(page.getByTestId("status")).toHaveText("Your move.");
  await page.getByLabel(/^Level/).fill("20");
  await expect(page.getByLabel("Level 20 of 20: strongest")).toBeVisible();
  await page.goto(`${page.url().replace(/#.*/, "")}#44444111332225`);
  await solved(page);
});
