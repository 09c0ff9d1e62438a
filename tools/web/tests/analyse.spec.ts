import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { Board } from "../page/src/game/board";
import { describe as words, exactly, fromPoints } from "../page/src/game/score";
import { drop, expect, open, solved, test } from "./fixtures";

const SUITES = new URL("../../../tests/suites/", import.meta.url);

/** The first positions of a file with the best score in words. */
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

const DATA = new URL("data/", import.meta.url);
const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click();
const scores = (page: Page) => page.getByTestId("score");
const expectLink = (page: Page, link: string | RegExp) =>
  expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(typeof link === "string" ? new RegExp(`^${link.replaceAll("/", "\\/")}$`) : link);
const EXACT = /^(wins in \d+|draw|loses in \d+)$/;

const suites = ["begin-easy", "begin-medium", "middle-easy", "middle-medium", "end-easy"];
for (const suite of suites) {
  test(`the scores of ${suite}`, { tag: "@chromium" }, async ({ page }) => {
    for (const { digits, expected } of positionsOf(`${suite}.txt`, 2)) {
      await open(page, `#${digits}`);
      await solved(page);
      await expect(scores(page).first(), digits).toHaveText(expected);
      for (const score of await scores(page).allTextContents()) expect(score).toMatch(EXACT);
    }
  });
}

test("each of the seven scores is that of the position behind it", { tag: "@chromium" }, async ({ page }) => {
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
  await expectLink(page, "#444");
  await page.keyboard.press("4");
  await expectLink(page, "#4444");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expectLink(page, "#4444@2");
  await page.getByRole("button", { name: "End" }).click();
  await expectLink(page, "#4444");
  await solved(page);
  await page
    .getByRole("button", { name: /its move 3/ })
    .first()
    .click();
  await expectLink(page, /^#4444\d{3}$/);
});

test("the curve of the game and the loss of a move", async ({ page }) => {
  await open(page, "#4441");
  await solved(page);
  await page.keyboard.press("End");
  await expect(page.locator('[data-ply="4"]')).toContainText(/loses in \d|draws/, { timeout: 40_000 });
  await expect(page.getByTestId("loss")).toHaveText(/^This move (loses|draws)/);
});

test(
  "moves, lines and curve are in view on a small laptop, and the board stays",
  { tag: "@chromium" },
  async ({ page }) => {
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
    await page.locator("footer").scrollIntoViewIfNeeded();
    await expect(board).toBeInViewport({ ratio: 0.99 });
  },
);

test("a link of a position", async ({ page }) => {
  await open(page, "#4455@2");
  await expect(page.getByRole("img", { name: "column 4: red, yellow" })).toBeVisible();
  await expect(page).toHaveTitle("44, analysis – Plumb");
  await open(page, "#fen=7/7/7/7/3pp2/3PP2&moves=3");
  await expect(page.getByRole("img", { name: "column 3: red; column 4: red, yellow" })).toBeVisible();
});

async function paste(page: Page, text: string): Promise<void> {
  await tab(page, "Open");
  await page.locator("#text").fill(text);
  await page.locator("form").getByRole("button", { name: "Open" }).click();
}

test("digits, FEN, PGN and links are read", async ({ page }) => {
  await open(page, "#analyse");
  await paste(page, "44 55");
  await expectLink(page, "#4455");
  await paste(page, "7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2");
  await expectLink(page, "#fen=7/7/7/7/3p3/3P3");
  await paste(page, '[Event "x"]\n[Variant "cfour"]\n\n1. P@d1 {book} P@d2 2. P@e1 *');
  await expectLink(page, "#445");
  for (const text of ["4455@2", page.url().replace(/#.*/, "#4455@2")]) {
    await paste(page, "1");
    await tab(page, "Open");
    await page.locator("#text").fill(text);
    await page.keyboard.press("Enter");
    await expectLink(page, "#4455@2");
  }
});

const BROKEN = [
  ["4458", "“8”: there is no column 8 (columns 1 to 7)."],
  ["4444444", "“4”: column 4 is full."],
  ["11223344", "“4”: the game is over."],
  ["7/7/7", "“7x3”: a board has at least 4 columns and 4 rows."],
  ["7/7/7/7/3p3/3P3 b", "“b”: with 1 and 1 stones `w` is to move."],
  ["1. P@d1 P@d3", "PGN, game 1, move 2, “P@d3”: the stone lands on rank 2, not 3."],
  ["1. e4 e5 2. Nf3 Nc6", "PGN, game 1: this is a game of chess."],
  ["1. d1 {a comment", "PGN, game 1: a comment that begins with “{” does not end."],
  ["hello", '“hello”: not a position; expected moves such as ddee, "d1 d2" or "4 4", or a FEN.'],
] as const;

test("broken input gives one sentence and changes nothing", { tag: "@chromium" }, async ({ page }) => {
  await open(page, "#445");
  for (const [text, sentence] of BROKEN) {
    await paste(page, text);
    await expect(page.getByTestId("fault").locator("p"), text).toHaveText(sentence);
    await expectLink(page, "#445");
  }
  await paste(page, "4");
  await expect(page.getByTestId("fault")).toHaveCount(0);
});

test("a broken link gives one sentence", async ({ page }) => {
  await open(page, "#4459");
  await expect(page.getByTestId("fault").locator("p")).toHaveText("Link: “9”: there is no column 9 (columns 1 to 7).");
  await open(page, "#xyz");
  await expect(page.getByTestId("fault").locator("p")).toHaveText(/^Link: “xyz”: not a position; expected moves/);
  await open(page, "#44@7");
  await expect(page.getByTestId("fault").locator("p")).toHaveText("Link: “@7” is no place among 2 moves.");
});

test("a position is set up by clicking, also on stones, and is copied", async ({ page }) => {
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
  await tab(page, "Copy");
  const fen = page.getByRole("button", { name: "FEN" });
  await fen.click();
  await expect(page.getByTestId("copied-text")).toHaveValue(/^7\/7\/7\/7\/3P3\/3Pp2\[/);
  // The first click changes the colour, the second removes the stone.
  const { height } = (await column(4).boundingBox())!;
  const bottom = { position: { x: 20, y: height - 20 } };
  await column(4).click(bottom);
  await expect(page.getByText("The stones on the board are not a position yet.")).toBeVisible();
  await column(4).click(bottom);
  await fen.click();
  await expect(page.getByTestId("copied-text")).toHaveValue(/^7\/7\/7\/7\/7\/3Pp2\[/);
  await page.getByRole("button", { name: "Red", exact: true }).click();
  await column(4).click();
  await page.getByRole("button", { name: "Use this position" }).click();
  await expectLink(page, "#fen=7/7/7/7/3P3/3Pp2");
  await solved(page);
  await expect(page.getByTestId("headline")).toContainText("Yellow is to move: a draw");
});

test("copies as digits, FEN, PGN and SVG", async ({ page, context, browserName }) => {
  test.skip(browserName === "firefox", "WebDriver BiDi has no permission to read the clipboard");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, "#4455");
  await tab(page, "Copy");
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
  await tab(page, "Open");
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

const move = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);

test("other moves become variations, which outlast the page", async ({ page, context }) => {
  await open(page, "#445566");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("7");
  await page.keyboard.press("1");
  await expectLink(page, "#445571");
  await expect(page.getByRole("group", { name: "Variation" })).toContainText("5. g1");
  await move(page, "3,3,4,4,5,5").click();
  await expectLink(page, "#445566");
  await move(page, "3,3,4,4,6").click();
  await expectLink(page, "#445571@5");
  const other = await context.newPage();
  await page.close();
  await open(other, "#analyse");
  await expect(move(other, "3,3,4,4,6,0")).toBeVisible();
  await expect(move(other, "3,3,4,4,5,5")).toBeVisible();
  await other.getByRole("button", { name: "Make this the main line" }).click();
  await expect(other.getByRole("group", { name: "Variation" })).toContainText("5. f1");
  await other.getByRole("button", { name: "Delete the moves after this" }).click();
  await expect(move(other, "3,3,4,4,6,0")).toHaveCount(0);
  await tab(other, "Copy");
  await other.getByRole("button", { name: "PGN" }).click();
  await expect(other.getByTestId("copied-text")).toHaveValue(/3\. P@g1 \(3\. P@f1 P@f2\) \*/);
});

test("a PGN opens with its variations; of several games one is chosen", { tag: "@chromium" }, async ({ page }) => {
  await open(page, "#analyse");
  await paste(page, "1. d1 d2 (1... e1 2. e2) 2. f1 *");
  await expectLink(page, "#446");
  await expect(page.getByRole("group", { name: "Variation" })).toContainText("2. e1");
  await paste(page, readFileSync(new URL("games.pgn", DATA), "utf8"));
  const games = page.getByTestId("pgn-games").getByRole("button");
  await expect(games).toHaveCount(4);
  await expectLink(page, "#446");
  await games.nth(1).click();
  await expect(page.getByTestId("headline")).toContainText("has won");
});

test("addresses of solvers are positions, in Open and of the page itself", async ({ page }) => {
  await page.goto("/page.html?pos=4455");
  await expect(page.getByRole("img", { name: /column 4: red, yellow; column 5: red, yellow/ })).toBeVisible();
  await expect(page).toHaveURL(/page\.html#4455$/);
  await paste(page, "https://connect4.gamesolver.org/?pos=112");
  await expectLink(page, "#112");
  await paste(page, "https://ludolab.net/solve/connect4?position=4344&level=10");
  await expectLink(page, "#4344");
});

test("a hidden tab does not search", async ({ page }) => {
  await open(page, "#9x7:5");
  const state = page.getByTestId("figures");
  await expect(state).toHaveAttribute("data-state", "searching");
  const show = (visibility: string) =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, visibility);
  await show("hidden");
  await expect(state).toHaveAttribute("data-state", "idle");
  await show("visible");
  await expect(state).toHaveAttribute("data-state", "searching");
});

test("the address changes at most 100 times in 30 seconds, as Safari allows, and is right in the end", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { replaceState } = history;
    let count = 0;
    history.replaceState = (...change) => {
      if (++count > 100) throw new DOMException("too many", "SecurityError");
      replaceState.apply(history, change);
    };
  });
  await open(page, "#444441113322255635");
  for (let times = 0; times < 70; times++) {
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
  }
  await page.keyboard.press("Home");
  await expectLink(page, "#444441113322255635@0");
});

test("a picture is handed to the clipboard in the task of the click, as Safari asks", async ({ page }) => {
  await open(page, "#4455");
  await tab(page, "Copy");
  await page.evaluate(() => {
    const seen = { isPromise: false, hasWritten: false };
    Object.assign(window, { seen });
    Object.assign(window, {
      ClipboardItem: class {
        constructor(data: Record<string, unknown>) {
          seen.isPromise = data["image/png"] instanceof Promise;
        }
      },
    });
    Object.defineProperty(navigator, "clipboard", { value: { write: async () => (seen.hasWritten = true) } });
    const png = [...document.querySelectorAll("button")].find((button) => button.textContent === "PNG");
    png?.click();
    Object.assign(seen, { inTask: seen.hasWritten });
  });
  expect(await page.evaluate("seen")).toEqual({ isPromise: true, hasWritten: true, inTask: true });
});

test("equal columns are not marked, zeros are hidden, a full column says so, and columns have the chosen names", async ({
  page,
}) => {
  await open(page, "#4444442222221");
  await solved(page);
  await page.locator('button.column[data-column="4"]').click({ force: true });
  await expect(page.getByTestId("fault")).toContainText("Column 4 is full.");
  await expect(page.getByTestId("figures")).not.toContainText(/\b0 nodes|· 0 a second/);
  await open(page, "#44553");
  await solved(page);
  await expect(page.getByTestId("score")).toHaveText(Array<string>(7).fill("loses in 2"));
  await expect(page.locator(".score.best")).toHaveCount(0);
  await expect(page.getByTestId("bar")).toBeVisible();
  const steps = page.locator('[aria-label="Columns, the best first"] button');
  await expect(steps.first()).toHaveText(/^[a-g]$/);
  const { width, height } = (await steps.nth(1).boundingBox())!;
  expect(Math.abs(width - height)).toBeLessThan(1);
  await tab(page, "Settings");
  await page.getByLabel("Names of columns").selectOption("digits");
  await expect(steps.first()).toHaveText(/^[1-7]$/);
  await tab(page, "Moves");
  await expect(page.getByRole("group", { name: "Moves" })).toContainText("1. 4");
});
