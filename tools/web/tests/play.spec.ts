import { Engine } from "plumb-engine";
import type { Page } from "@playwright/test";
import { expect, movesOf, open, test } from "./fixtures";

/** The scripted player asks the same engine, at full strength, outside the page. */
let engine: Engine;
test.beforeAll(async () => {
  engine = await Engine.create();
});
test.afterAll(() => engine.terminate());

async function bestColumn(moves: string): Promise<number> {
  engine.postMessage(moves === "" ? "position startpos" : `position ${moves}`);
  const line = (await engine.send("go movetime 1000", "bestmove")).at(-1) ?? "";
  return /P@([a-g])/.exec(line)![1]!.charCodeAt(0) - 96;
}

async function setLevel(page: Page, level: number): Promise<void> {
  await page.getByLabel(/^Level/).fill(String(level));
}

const status = (page: Page) => page.getByTestId("status");

/** Plays until the game is over; returns the last sentence. */
async function playOut(page: Page, choose: (moves: string) => Promise<number>): Promise<string> {
  for (;;) {
    await expect(status(page)).not.toHaveText(/thinking/);
    const text = (await status(page).textContent()) ?? "";
    if (!/Your move|You begin/.test(text)) return text;
    const moves = await movesOf(page);
    await page.locator(`button[data-column="${await choose(moves)}"]`).click();
    await expect.poll(() => movesOf(page)).not.toBe(moves);
  }
}

test("a game against level 0 is won", async ({ page }) => {
  test.setTimeout(120_000);
  await open(page);
  await setLevel(page, 0);
  expect(await playOut(page, bestColumn)).toBe("You have won.");
  await expect(page.locator("circle.winning")).not.toHaveCount(0);
  await page.getByRole("link", { name: "Analyse this game" }).click();
  await expect(page.getByTestId("headline")).toContainText("The first player has won.");
});

test("level 20 as first player is not beaten, even by the best moves", async ({ page }) => {
  test.setTimeout(150_000);
  await open(page);
  await setLevel(page, 20);
  await page.getByRole("button", { name: "Second" }).click();
  expect(await playOut(page, bestColumn)).toMatch(/Plumb has won|drawn/);
});

test("take-back goes to the move before", async ({ page }) => {
  await open(page);
  await expect(page.getByRole("button", { name: "Take back" })).toBeDisabled();
  for (const column of [4, 4]) {
    await expect(status(page)).toHaveText(/Your move|You begin/);
    await page.locator(`button[data-column="${column}"]`).click();
  }
  await expect(status(page)).toHaveText("Your move.");
  const moves = await movesOf(page);
  expect(moves).toHaveLength(4);
  await page.getByRole("button", { name: "Take back" }).click();
  expect(await movesOf(page)).toBe(moves.slice(0, 2));
  await page.getByRole("button", { name: "Take back" }).click();
  expect(await movesOf(page)).toBe("");
});

test("a hint names the best column", async ({ page }) => {
  await open(page);
  await expect(page.getByTestId("engine")).toHaveAttribute("data-book", "here");
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByTestId("hint")).toHaveText("Hint: Column 4: wins in 41");
});

test("the keyboard alone plays a game", async ({ page }) => {
  await open(page);
  await page.keyboard.press("4");
  await expect(status(page)).toHaveText("Your move.");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: /^Column 5/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(status(page)).toHaveText("Your move.");
  expect((await movesOf(page))[2]).toBe("5");
  await page.keyboard.press("u");
  expect(await movesOf(page)).toHaveLength(2);
});

test.describe("on a phone", () => {
  test.use({
    hasTouch: true,
    viewport: { width: 360, height: 700 },
    contextOptions: { reducedMotion: "no-preference" },
  });

  test("a touch drops a stone, which falls", async ({ page, browserName }) => {
    test.skip(browserName === "firefox", "WebDriver BiDi does not let motion be asked for");
    await open(page);
    await page.getByRole("button", { name: /^Column 4/ }).tap();
    // The first stone on the board: the engine's answer may fall beside it.
    const stone = page.locator("g.falling").first();
    await expect(stone).toBeVisible();
    expect(await stone.evaluate((stone) => getComputedStyle(stone).animationName)).toContain("fall");
    await expect(status(page)).toHaveText("Your move.");
    expect(await movesOf(page)).toHaveLength(2);
  });
});

test("the clock runs and is told", async ({ page }) => {
  await open(page);
  await page.getByLabel("Clock").selectOption({ label: "1 minute + 1 second a move" });
  await expect(page.getByRole("timer")).toHaveCount(2);
  await page.keyboard.press("4");
  await expect(status(page)).toHaveText("Your move.");
  await expect(page.getByRole("timer").last()).toHaveText(/0:5\d/);
});

test("a level is kept, and sound is off at first", async ({ page }) => {
  await open(page);
  await expect(page.getByRole("button", { name: "Sound" })).toHaveAttribute("aria-pressed", "false");
  await setLevel(page, 9);
  await page.reload();
  await expect(page.getByLabel(/^Level/)).toHaveValue("9");
});
