/** Boards other than 7x6. */

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { Board } from "../page/src/game/board";
import { describe as words, exactly, fromPoints } from "../page/src/game/score";
import { cellsOf, drop, expect, expectLook, open, solved, test, yourMove } from "./fixtures";

const data = (name: string): string => readFileSync(new URL(`data/${name}`, import.meta.url), "utf8");

/** Scores of all moves from `plumb-lab solve --board 5x4 MOVES --all-moves --json`. */
interface Solved {
  readonly board: string;
  readonly moves: string;
  readonly score: number;
  readonly all_moves: Readonly<Record<string, number>>;
}
const SOLVED = data("solved.jsonl")
  .trim()
  .split("\n")
  .map((line): Solved => JSON.parse(line) as Solved);

const expectLink = (page: Page, link: string | RegExp) =>
  expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(typeof link === "string" ? new RegExp(`^${link.replaceAll("/", "\\/")}$`) : link);
const status = (page: Page) => page.getByTestId("status");
const column = (page: Page, number: number) => page.locator(`button.column[data-column="${number}"]`);

async function choose(page: Page, width: number, height: number): Promise<void> {
  await page.getByRole("combobox", { name: "Board" }).selectOption({ label: `${width} columns, ${height} rows` });
}

for (const board of new Set(SOLVED.map(({ board }) => board))) {
  test(`the scores of all columns on ${board} are those of plumb-lab solve`, async ({ page }) => {
    test.setTimeout(120_000);
    for (const { moves, score, all_moves } of SOLVED.filter((one) => one.board === board)) {
      const size = Board.parse(board)!;
      const inWords = (points: number) => words(exactly(fromPoints(points, moves.length, size)));
      await open(page, `#${board}${moves === "" ? "" : `:${moves}`}`);
      await solved(page);
      const rows = page.locator('[aria-label="Columns, the best first"] tr[data-column]');
      const told = await rows.evaluateAll((rows) =>
        rows.map((row) => [(row as HTMLElement).dataset.column, row.querySelector("[data-testid=score]")!.textContent]),
      );
      const expected = Object.entries(all_moves).map(([sign, points]) => [
        size.hasDigits ? sign : String(sign.charCodeAt(0) - 96),
        inWords(points),
      ]);
      expect(Object.fromEntries(told), moves).toEqual(Object.fromEntries(expected));
      expect(told[0]?.[1], moves).toBe(inWords(score));
    }
  });
}

for (const [width, height] of [
  [5, 4],
  [9, 7],
] as const) {
  test(`a game on ${width}x${height} is played to its end`, async ({ page }) => {
    test.setTimeout(120_000);
    await open(page);
    await choose(page, width, height);
    await page.getByLabel(/^Level/).fill("0");
    await expect(page.locator("button.column")).toHaveCount(width);
    await expect(status(page)).toHaveText("You are red and begin: choose a column.");
    for (let count = 0; ; count++) {
      await expect(status(page)).not.toHaveText(/thinking/);
      if (!/Your move|and begin/.test((await status(page).textContent()) ?? "")) break;
      await yourMove(page);
      const open = page.locator('button.column[aria-disabled="false"]');
      const moves = (await cellsOf(page)).length;
      // The last column first, to wait for the whole board.
      await open.nth(-1 - (count % (await open.count()))).click();
      await expect.poll(async () => (await cellsOf(page)).length).toBeGreaterThan(moves);
    }
    await expect(status(page)).toHaveText(/have won|has won|drawn/);
    const letters = (await cellsOf(page)).map((cell) => cell.charCodeAt(0) - 97);
    expect(Math.max(...letters)).toBe(width - 1);
    await page.getByRole("link", { name: "Review this game" }).click();
    await expect(page.getByTestId("headline")).toHaveText(/has won|drawn/);
    await expectLink(page, new RegExp(`^#${width}x${height}:[1-${width}]+$`));
  });
}

test("level 20, hint, take-back and keys on 9x7", async ({ page }) => {
  await open(page);
  await choose(page, 9, 7);
  await page.keyboard.press("9");
  await yourMove(page);
  await page.keyboard.press("Shift+I");
  await expect.poll(async () => (await cellsOf(page)).length).toBeGreaterThanOrEqual(4);
  expect((await cellsOf(page)).filter((cell) => cell.startsWith("i")).length).toBeGreaterThanOrEqual(2);
  await expect(status(page)).toHaveText("Your move.");
  await page.keyboard.press("u");
  expect(await cellsOf(page)).toHaveLength(2);
  // The first arrow goes to the middle. The ends are neighbours.
  for (let count = 0; count < 6; count++) await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: /^Column 1,/ })).toBeFocused();
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByTestId("hint")).toHaveText(/^Hint: Column [a-i]/);
  await page.getByLabel(/^Level/).fill("20");
  await expect(page.getByLabel(/^Level 20 of 20: strongest/)).toBeVisible();
  await page.keyboard.press("5");
  await expect(status(page)).toHaveText("Your move.");
});

test("any size can be asked for, and one that does not exist says why", async ({ page }) => {
  await open(page);
  await page.getByRole("combobox", { name: "Board" }).selectOption("other");
  await page.getByRole("spinbutton", { name: "Columns" }).fill("12");
  await page.getByRole("spinbutton", { name: "Rows" }).fill("10");
  await page.getByRole("button", { name: "Use this size" }).click();
  await expect(page.getByTestId("size-fault")).toHaveText(
    "A board of 12x10: with 12 columns there can be 9 rows at most; columns times (rows + 1) is 128 at most.",
  );
  await page.getByRole("spinbutton", { name: "Rows" }).fill("9");
  await page.getByRole("button", { name: "Use this size" }).click();
  await expect(page.locator("button.column")).toHaveCount(12);
  await expect(page.getByRole("combobox", { name: "Board" })).toHaveValue("12x9");
  await page.keyboard.press("Shift+L");
  await expect(status(page)).toHaveText("Your move.");
  expect((await cellsOf(page))[0]).toBe("l1");
  await page.getByRole("combobox", { name: "Board" }).selectOption("7x6");
  await expect(page.locator("button.column")).toHaveCount(7);
});

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole("tab", { name: "Open" }).click();
  await page.locator("#text").fill(text);
  await page.locator("form").getByRole("button", { name: "Open", exact: true }).click();
}

test("links, FEN, columns and PGN name their board", async ({ page }) => {
  await open(page, "#8x7:8811@2");
  await expect(page.getByRole("img", { name: /of 8 columns and 7 rows.*column 8: red, yellow/ })).toBeVisible();
  await paste(page, "8/8/8/8/8/8/3P4 b moves 8");
  await expectLink(page, "#fen=8/8/8/8/8/8/3P4&moves=8");
  await paste(page, "88");
  await expectLink(page, "#8x7:88");
  await paste(page, "10x10: a1 j1 j2");
  await expectLink(page, "#10x10:ajj");
  await paste(page, '[Variant "cfour5x4"]\n\n1. P@e1 P@e2 *');
  await expectLink(page, "#5x4:55");
  await page.getByRole("tab", { name: "Moves" }).click();
  await page.getByRole("button", { name: "Empty board" }).click();
  await expectLink(page, "#5x4");
  // Old links mean 7x6.
  await open(page, "#4455");
  await expect(page.locator("button.column")).toHaveCount(7);
  await open(page, "#fen=7/7/7/7/7/3P3");
  await expect(page.locator("button.column")).toHaveCount(7);
});

const BROKEN: readonly (readonly [string, string])[] = [
  ["6", "“6”: there is no column 6 (columns 1 to 5)."],
  ["55555", "“5”: column 5 is full."],
  ["8x3", "A board of 8x3: there must be at least 4 columns and 4 rows."],
  ["5/5/5", "“5x3”: a board has at least 4 columns and 4 rows."],
  ['[Variant "cfour9x9x9"]\n\n1. a1', "PGN, game 1: the variant “cfour9x9x9” names no size like cfour8x7."],
  ['[Variant "cfour5x4"]\n\n1. f1', "PGN, game 1, move 1, “f1”: there is no column f (columns a to e)."],
];

test("broken input for a board gives one sentence and changes nothing", async ({ page }) => {
  await open(page, "#5x4:55");
  for (const [text, sentence] of BROKEN) {
    await paste(page, text);
    await expect(page.getByTestId("fault").locator("p"), text).toHaveText(sentence);
    await expectLink(page, "#5x4:55");
  }
  await open(page, "#9x15:1");
  await expect(page.getByTestId("fault").locator("p")).toHaveText(
    "Link: A board of 9x15: with 9 columns there can be 13 rows at most; columns times (rows + 1) is 128 at most.",
  );
});

test("set-up and copies on 9x7", async ({ page, context, browserName }) => {
  test.skip(browserName === "firefox", "WebDriver BiDi has no permission to read the clipboard");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "#9x7");
  await page.getByRole("button", { name: "Set up a position" }).click();
  await column(page, 9).click();
  await column(page, 1).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  await expectLink(page, "#fen=9/9/9/9/9/9/p7P");
  await open(page, "#9x7:9915");
  await page.getByRole("tab", { name: "Copy" }).click();
  const copied = async (name: string) => {
    await page.getByRole("group", { name: "Copy as" }).getByRole("button", { name }).click();
    await expect(page.getByTestId("copied")).toContainText(`${name === "PNG" ? "Picture" : name} copied`);
    return page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      if (item!.types.join() !== "image/png") return navigator.clipboard.readText();
      const picture = await createImageBitmap(await item!.getType("image/png"));
      return `${picture.width}x${picture.height}`;
    });
  };
  expect(await copied("Digits")).toBe("9915");
  expect(await copied("FEN")).toBe(`9/9/9/9/9/8p/P3p3P[${"P".repeat(30)}${"p".repeat(29)}] w - - 0 3`);
  expect(await copied("PGN")).toContain('[Variant "cfour9x7"]');
  expect(await copied("Link")).toMatch(/#9x7:9915$/);
  expect(await copied("SVG")).toContain('width="924" height="724"');
  expect(await copied("PNG")).toBe("924x724");
});

test("a set-up gives way to a link, on the same board and to another", async ({ page }) => {
  await open(page, "#8x7:8877");
  for (const link of ["#8x7:1122", "#5x4:55"]) {
    await page.getByRole("button", { name: "Set up a position" }).click();
    await expect(page.getByTestId("set-up-state")).toBeVisible();
    await open(page, link);
    await expect(page.getByTestId("headline")).toBeVisible();
    await expect(page.getByTestId("set-up-state")).toHaveCount(0);
    await expectLink(page, link);
  }
});

test("a large board shows estimates, and a curve of the game", async ({ page }) => {
  test.setTimeout(90_000);
  await open(page, "#9x7:5519");
  await expect(page.getByTestId("score").first()).toHaveText(/^about [+−]\d/);
  await expect(page.getByTestId("figures")).toHaveAttribute("data-state", "searching");
  await expect(page.getByTestId("score")).toHaveCount(9);
  // After some seconds earlier positions get points.
  await expect(page.locator("path.curve")).toHaveAttribute("d", /^M8\.0/, { timeout: 60_000 });
  await expect(page.getByTestId("figures")).toHaveAttribute("data-state", "searching");
});

for (const size of ["5x4", "10x10"]) {
  test(`records of ${size}: match.jsonl and games.pgn`, async ({ page }) => {
    for (const name of [`match-${size}.jsonl`, `games-${size}.pgn`]) {
      await page.goto("about:blank");
      await open(page, "#watch");
      await drop(page, { [name]: data(name) });
      await expect(page.getByTestId("match-state")).toContainText(`board ${size}`);
      await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(4);
      const [width, height] = size.split("x").map(Number);
      const viewBox = `-12 -12 ${100 * width! + 24} ${100 * height! + 24}`;
      await expect(page.locator('section[aria-label="Board"] svg[role="img"]')).toHaveAttribute("viewBox", viewBox);
      await page.keyboard.press("End");
      await expect(page.getByTestId("move-state")).not.toHaveText("Start of the game.");
    }
    await page.keyboard.press("Home");
    for (let ply = 0; ply < 5; ply++) await page.keyboard.press("ArrowRight");
    await page.getByRole("link", { name: "Analyse from here" }).click();
    await expect(page.getByTestId("headline")).toBeVisible();
    await expectLink(page, new RegExp(`^#${size}:.+@5$`));
  });
}

const STATES: Record<string, (page: Page) => Promise<void>> = {
  "play on 4x4": async (page) => {
    await open(page, "#play");
    await choose(page, 4, 4);
    await page.keyboard.press("2");
    await expect(status(page)).toHaveText("Your move.");
  },
  "another size": async (page) => {
    await open(page, "#play");
    await page.getByRole("combobox", { name: "Board" }).selectOption("other");
    await page.getByRole("spinbutton", { name: "Columns" }).fill("99");
    await page.getByRole("button", { name: "Use this size" }).click();
    await expect(page.getByTestId("size-fault")).toBeVisible();
  },
  "analysis of 9x7": async (page) => {
    await open(page, "#9x7:6613325933877266848738139881238712116257");
    await solved(page);
  },
  "analysis of 25x4": async (page) => {
    await open(page, "#25x4:aybx");
    await expect(page.getByTestId("score").first()).toHaveText(/^about/);
  },
  "set-up on 4x31": async (page) => {
    await open(page, "#4x31:1234");
    await page.getByRole("button", { name: "Set up a position" }).click();
  },
  "a match on 10x10": async (page) => {
    await open(page, "#watch");
    await drop(page, { "match.jsonl": data("match-10x10.jsonl") });
    await expect(page.getByTestId("viewer-title")).toBeVisible();
  },
};

for (const [name, show] of Object.entries(STATES)) {
  test(`axe finds nothing and nothing scrolls sideways: ${name}`, async ({ page }) => {
    await show(page);
    await expectLook(page);
  });
}

test("a wide board scrolls within its frame on a phone, with columns for a finger", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const hash of ["#4x31:1234", "#25x4"]) {
    await open(page, hash);
    expect((await column(page, 1).boundingBox())!.width, hash).toBeGreaterThanOrEqual(24);
  }
  const last = column(page, 25);
  await last.click();
  await expectLink(page, "#25x4:y");
});
