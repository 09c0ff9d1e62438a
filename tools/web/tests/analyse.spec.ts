import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { Board } from "../page/src/game/board";
import { describe as words, exactly, fromPoints } from "../page/src/game/score";
import { drop, expect, open, solved, test } from "./fixtures";

const SUITES = new URL("../../../tests/suites/", import.meta.url);

/** The first positions of a file, with the best score in plain words. */
function positionsOf(file: string, count: number): { digits: string; expected: string }[] {
  const lines = readFileSync(new URL(file, SUITES), "utf8").split("\n");
  return lines
    .filter((line) => /^\d/.test(line))
    .slice(0, count)
    .map((line) => {
      const [digits = "", points = ""] = line.split(" ");
      return { digits, expected: words(exactly(fromPoints(Number(points), digits.length, Board.STANDARD))) };
    });
}

const scores = (page: Page) => page.getByTestId("score");
const digitsOf = (page: Page) => page.evaluate(() => location.hash);
const EXACT = /^(wins in \d+|draw|loses in \d+)$/;

const suites = ["begin-easy", "begin-medium", "middle-easy", "middle-medium", "end-easy"];
for (const suite of suites) {
  test(`the scores of ${suite}`, async ({ page }) => {
    for (const { digits, expected } of positionsOf(`${suite}.txt`, 2)) {
      await open(page, `#${digits}`);
      await solved(page);
      await expect(scores(page).first(), digits).toHaveText(expected);
      for (const score of await scores(page).allTextContents()) expect(score).toMatch(EXACT);
    }
  });
}

test("each of the seven scores is that of the position behind it", async ({ page }) => {
  const { digits } = positionsOf("middle-easy.txt", 1)[0]!;
  await open(page, `#${digits}`);
  await solved(page);
  const rows = page.locator('[aria-label="Columns, the best first"] tr[data-column]');
  const told = await rows.evaluateAll((rows) =>
    rows.map((row) => [(row as HTMLElement).dataset.column, row.querySelector("[data-testid=score]")!.textContent]),
  );
  expect(told.length).toBeGreaterThan(4);
  for (const [column, score] of told) {
    await open(page, `#${digits}${column}`);
    await solved(page);
    const plies = Number(/\d+/.exec(score!)?.[0]);
    const after =
      score === "draw" ? "draw" : score!.startsWith("wins") ? `loses in ${plies - 1}` : `wins in ${plies - 1}`;
    if (plies === 1) await expect(page.getByTestId("headline")).toContainText("has won");
    else await expect(scores(page).first()).toHaveText(after);
  }
});

test("moves by click, by key and by the best line; steps; the link follows", async ({ page }) => {
  await open(page, "#44");
  await solved(page);
  await page.locator('button.column[data-column="4"]').click();
  expect(await digitsOf(page)).toBe("#444");
  await page.keyboard.press("4");
  expect(await digitsOf(page)).toBe("#4444");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await digitsOf(page)).toBe("#4444@2");
  await page.getByRole("button", { name: "End" }).click();
  expect(await digitsOf(page)).toBe("#4444");
  await solved(page);
  await page
    .getByRole("button", { name: /its move 3/ })
    .first()
    .click();
  expect(await digitsOf(page)).toMatch(/^#4444\d{3}$/);
});

test("the curve of the game and the loss of a move", async ({ page }) => {
  await open(page, "#4441");
  await solved(page);
  await page.keyboard.press("End");
  await expect(page.locator('[data-ply="4"]')).toContainText(/loses in \d|draws/, { timeout: 40_000 });
  await expect(page.getByTestId("loss")).toHaveText(/^This move (loses|draws)/);
});

test("moves, lines and curve are in view on a small laptop, and the board stays", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, "#444441113322255635");
  await solved(page);
  const board = page.getByRole("region", { name: "Board" });
  for (const part of [
    page.getByRole("table"),
    page.locator("path.curve"),
    page.getByRole("group", { name: "Moves" }),
  ]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole("group", { name: "Copy as" }).scrollIntoViewIfNeeded();
  await expect(board).toBeInViewport({ ratio: 0.99 });
});

test("a link of a position", async ({ page }) => {
  await open(page, "#4455@2");
  await expect(page.getByRole("img", { name: "column 4: red, yellow" })).toBeVisible();
  await open(page, "#fen=7/7/7/7/3pp2/3PP2&moves=3");
  await expect(page.getByRole("img", { name: "column 3: red; column 4: red, yellow" })).toBeVisible();
});

async function paste(page: Page, text: string): Promise<void> {
  await page.getByLabel(/digits \(4455\)/).fill(text);
  await page.locator("form").getByRole("button", { name: "Open" }).click();
}

test("digits, FEN, PGN and links are read", async ({ page }) => {
  await open(page, "#analyse");
  await paste(page, "44 55");
  expect(await digitsOf(page)).toBe("#4455");
  await paste(page, "7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2");
  expect(await digitsOf(page)).toBe("#fen=7/7/7/7/3p3/3P3");
  await paste(page, '[Event "x"]\n[Variant "cfour"]\n\n1. P@d1 {book} P@d2 2. P@e1 *');
  expect(await digitsOf(page)).toBe("#445");
  for (const text of ["4455@2", page.url().replace(/#.*/, "#4455@2")]) {
    await paste(page, "1");
    await page.getByLabel(/digits \(4455\)/).fill(text);
    await page.keyboard.press("Enter");
    expect(await digitsOf(page), text).toBe("#4455@2");
  }
});

const BROKEN = [
  ["4458", "Move 4, “8”: a move is a digit from 1 to 7."],
  ["4444444", "Move 7, “4”: column 4 is full."],
  ["11223344", "Move 8, “4”: the game is over before it."],
  ["7/7/7", "FEN: A board of 7x3: there must be at least 4 columns and 4 rows."],
  ["7/7/7/7/3p3/3P2 w", "FEN, row 6 from the top, “3P2”: it has 6 cells and must have 7."],
  ["7/7/7/7/3p3/7 w", "FEN: the stone on d2 has nothing under it."],
  ["7/7/7/7/7/3PP2 w", "FEN: red has 2 stones and yellow 0; there must be as many, or one more of red."],
  ["7/7/7/7/3p3/3P3 b", "FEN: “b” to move does not fit 2 stones; it must be w."],
  [
    "rnbqkbnr/pppppppp/8/8/8/8 w",
    "FEN, row 1 from the top, “rnbqkbnr”: “n” is neither a stone (P, p, X, O) nor a number of empty cells.",
  ],
  ["1. P@d1 P@d3", "PGN, game 1, move 2, “P@d3”: a stone in this column lands on d2."],
  ["1. e2e4 e7e5", "PGN, game 1, move 1, “e2e4”: this is no move; moves are like 4, d or P@d1."],
  ["1. d1 {a comment", "PGN, game 1: a comment that begins with “{” does not end."],
  ["hello", "Move 1, “hello”: this is no move; moves are like 4, d or P@d1."],
] as const;

test("broken input gives one sentence and changes nothing", async ({ page }) => {
  await open(page, "#445");
  for (const [text, sentence] of BROKEN) {
    await paste(page, text);
    await expect(page.getByTestId("fault").locator("p"), text).toHaveText(sentence);
    expect(await digitsOf(page)).toBe("#445");
  }
  await paste(page, "4");
  await expect(page.getByTestId("fault")).toHaveCount(0);
});

test("a broken link gives one sentence", async ({ page }) => {
  await open(page, "#4459");
  await expect(page.getByTestId("fault").locator("p")).toHaveText("Link: Move 4, “9”: a move is a digit from 1 to 7.");
  await open(page, "#44@7");
  await expect(page.getByTestId("fault").locator("p")).toHaveText("Link: “@7” is no place among 2 moves.");
});

test("a position is set up by clicking", async ({ page }) => {
  await open(page, "#analyse");
  await page.getByRole("button", { name: "Set up a position" }).click();
  const column = (number: number) => page.locator(`button.column[data-column="${number}"]`);
  await page.getByRole("button", { name: "Red", exact: true }).click();
  await column(4).click();
  await column(4).click();
  await expect(page.getByTestId("set-up-state")).toContainText("No position yet: red has 2 stones");
  await expect(page.getByRole("button", { name: "Use this position" })).toBeDisabled();
  await page.getByRole("button", { name: "Yellow", exact: true }).click();
  await column(5).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  expect(await digitsOf(page)).toBe("#fen=7/7/7/7/3P3/3Pp2");
  await solved(page);
  await expect(page.getByTestId("headline")).toContainText("Yellow is to move: a draw");
});

test("copies as digits, FEN, PGN and SVG", async ({ page, context, browserName }) => {
  test.skip(browserName === "firefox", "WebDriver BiDi has no permission to read the clipboard");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "#4455");
  const copied = async (name: string) => {
    await page.getByRole("group", { name: "Copy as" }).getByRole("button", { name }).click();
    await expect(page.getByTestId("copied")).toContainText(`${name === "PNG" ? "Picture" : name} copied`);
    return page.evaluate(async () =>
      (await navigator.clipboard.read())[0]!.types.join() === "image/png" ? "png" : navigator.clipboard.readText(),
    );
  };
  expect(await copied("Digits")).toBe("4455");
  expect(await copied("FEN")).toBe("7/7/7/7/3pp2/3PP2[PPPPPPPPPPPPPPPPPPPppppppppppppppppppp] w - - 0 3");
  expect(await copied("PGN")).toContain("1. P@d1 P@d2 2. P@e1 P@e2 *");
  expect(await copied("Link")).toMatch(/#4455$/);
  expect(await copied("SVG")).toContain("<svg");
  expect(await copied("PNG")).toBe("png");
});

test("text is dropped into its field", async ({ page }) => {
  await open(page, "#44");
  const isLeftToField = await page.locator("#text").evaluate((field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "4455");
    return field.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  expect(isLeftToField).toBe(true);
  await expect(page.getByTestId("fault")).toHaveCount(0);
});

test("a drop on the analysis goes to the match", async ({ page }) => {
  await open(page, "#44");
  await drop(page, { "match.jsonl": readFileSync(new URL("data/match.jsonl", import.meta.url), "utf8") });
  await expect(page.getByTestId("standings")).toBeVisible();
});
