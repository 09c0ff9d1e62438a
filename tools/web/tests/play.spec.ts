import { readFileSync } from "node:fs";
import { Engine } from "plumb-engine";
import type { Page } from "@playwright/test";
import { expect, movesOf, open, reload, test, yourMove } from "./fixtures";

/** The scripted player uses the engine at full strength outside of the page. */
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

async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys) {
    await expect(page.locator(`button[data-column="${key}"]`)).toHaveAttribute("aria-disabled", "false");
    const moves = await movesOf(page);
    await page.keyboard.press(key);
    await expect.poll(() => movesOf(page)).toBe(moves + key);
  }
}

async function playOut(page: Page, choose: (moves: string) => Promise<number>): Promise<string> {
  for (;;) {
    await expect(status(page)).not.toHaveText(/thinking/);
    const text = (await status(page).textContent()) ?? "";
    if (!/Your move|and begin/.test(text)) return text;
    await yourMove(page);
    const moves = await movesOf(page);
    await page.locator(`button[data-column="${await choose(moves)}"]`).click();
    await expect.poll(() => movesOf(page)).not.toBe(moves);
  }
}

test("a game against level 0 is won", { tag: "@chromium" }, async ({ page }) => {
  test.setTimeout(120_000);
  await open(page);
  await setLevel(page, 0);
  expect(await playOut(page, bestColumn)).toBe("You have won!");
  await expect(page.locator("circle.winning")).not.toHaveCount(0);
  await expect(page.getByText(/^Four in a row\s+after \d+ moves/)).toBeVisible();
  await page.getByRole("link", { name: "Review this game" }).click();
  await expect(page.getByTestId("headline")).toContainText("Red has won.");
  await page.goBack();
  await page.getByRole("button", { name: "Rematch: you play yellow" }).click();
  await expect(status(page)).toHaveText("Your move.");
  expect(await movesOf(page)).toHaveLength(1);
});

test("level 20 as first player is not beaten, even by the best moves", { tag: "@chromium" }, async ({ page }) => {
  test.setTimeout(300_000);
  await open(page);
  await setLevel(page, 20);
  await page.getByRole("button", { name: "Second" }).click();
  expect(await playOut(page, bestColumn)).toMatch(/Plumb has won|drawn/);
});

test("take-back goes to the move before", async ({ page }) => {
  await open(page);
  await expect(page.getByRole("button", { name: "Take back" })).toBeDisabled();
  for (const column of [4, 4]) {
    await yourMove(page);
    await page.locator(`button[data-column="${column}"]`).click();
  }
  await expect.poll(() => movesOf(page)).toHaveLength(4);
  const moves = await movesOf(page);
  for (const length of [2, 0]) {
    await page.getByRole("button", { name: "Take back" }).click();
    await expect.poll(() => movesOf(page)).toBe(moves.slice(0, length));
  }
});

test("the keyboard alone plays a game", async ({ page }) => {
  await open(page);
  await page.keyboard.press("4");
  await yourMove(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: /^Column 5/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await movesOf(page))[2]).toBe("5");
  await yourMove(page);
  await page.keyboard.press("u");
  await expect.poll(() => movesOf(page)).toHaveLength(2);
});

test("what this is, whose turn it is and what to do stands on the first screen", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page);
  const { version } = JSON.parse(readFileSync(new URL("../engine/package/package.json", import.meta.url), "utf8"));
  for (const text of [
    "Plumb four in a row",
    "yellow, the computer, level 5: medium",
    "You are red and begin: choose a column.",
    "Four in a row win. Diagonals count.",
    "beginner",
    "perfect",
    "Level 5 of 20: medium",
    `Plumb ${version}, an engine that solves Connect Four · `,
  ]) {
    await expect(page.getByText(text).filter({ visible: true }).first(), text).toBeInViewport({ ratio: 1 });
  }
});

test("a running game outlasts a reload, and is offered again after a new one", async ({ page, browser }) => {
  await open(page);
  for (const key of ["4", "3"]) {
    await page.keyboard.press(key);
    await yourMove(page);
  }
  const moves = await movesOf(page);
  await reload(page);
  expect(await movesOf(page)).toBe(moves);
  const changes: Record<string, () => Promise<unknown>> = {
    side: () => page.getByRole("button", { name: "Second" }).click(),
    clock: () => page.getByLabel("Clock").selectOption("1"),
    board: () => page.getByRole("combobox", { name: "Board" }).selectOption("8x7"),
    "new game": () => page.getByRole("button", { name: "New game" }).click(),
  };
  for (const [name, change] of Object.entries(changes)) {
    await change();
    await expect.poll(() => movesOf(page), name).not.toBe(moves);
    await reload(page);
    await page.getByRole("button", { name: "Resume it" }).click();
    expect(await movesOf(page), name).toBe(moves);
    await expect(status(page)).toHaveText("Your move.");
  }
  await expect(page).toHaveURL(new RegExp(`#play/${moves}$`));
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(page.url());
  await elsewhere.locator("main").waitFor();
  expect(await movesOf(elsewhere)).toBe(moves);
  await elsewhere.context().close();
});

test("a long game is offered after short ones that took its place, beside the last of them", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Two people" }).click();
  for (const keys of ["1212", "3", "45", "6"]) {
    await page.getByRole("button", { name: "New game" }).click();
    await press(page, keys);
    expect(await movesOf(page)).toBe(keys);
  }
  const kept = page.getByText("Your earlier game is kept");
  await expect(kept).toHaveText([/up to move 2\./, /up to move 4\./]);
  await reload(page);
  await kept.last().getByRole("button", { name: "Resume it" }).click();
  expect(await movesOf(page)).toBe("1212");
  await expect(kept).toHaveText([/up to move 1\./, /up to move 2\./]);
});

test("an earlier place of a game is played from anew, and back and forward stay in a game that went on", async ({
  page,
}) => {
  await open(page);
  await page.getByRole("button", { name: "Two people" }).click();
  await press(page, "121");
  await page.getByRole("link", { name: "Watch" }).click();
  await expect(page.getByTestId("file")).toBeAttached();
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await expect(status(page)).toBeVisible();
  await press(page, "2");
  await page.goBack();
  await expect(page.getByTestId("file")).toBeAttached();
  await page.goBack();
  await expect.poll(() => page.url()).toMatch(/#play\/1212$/);
  expect(await movesOf(page)).toBe("1212");
  await reload(page);
  expect(await movesOf(page)).toBe("1212");
  await press(page, "121");
  await expect(status(page)).toHaveText("Red has won!");
  await page.getByRole("link", { name: "Review this game" }).click();
  await expect(page.getByTestId("headline")).toHaveText("Red has won.");
  await page.getByRole("button", { name: "Decided by 6. b3" }).click();
  await expect(page.getByTestId("loss")).toHaveText(/^This move loses/);
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await page.getByRole("link", { name: "Play from here" }).click();
  await expect(status(page)).toHaveText("Your move.");
  expect(await movesOf(page)).toBe("12");
});

test("the empty board is played from, too, and the game before is kept", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Two people" }).click();
  await press(page, "12");
  await page.getByRole("link", { name: "Analyse", exact: true }).click();
  await page.getByRole("link", { name: "Play from here" }).click();
  await expect(page.getByText("Your earlier game is kept")).toHaveCount(1);
  expect(await movesOf(page)).toBe("");
});

test("what is no book is not kept, and the engine works without", async ({ page }) => {
  const book = (state: string) => expect(page.getByTestId("engine")).toHaveAttribute("data-book", state);
  await page.route("**/plumb.book", (route) => route.fulfill({ body: "<!doctype html>", contentType: "text/html" }));
  await open(page);
  await book("none");
  await expect(page.getByTestId("engine")).toHaveAttribute("data-state", "ready");
  await page.unroute("**/plumb.book");
  // Form of earlier versions.
  await page.evaluate(async () => {
    const store = await caches.open("plumb-book-1");
    await store.put(new URL("plumb.book", location.href.replace(/#.*/, "")).href, new Response("<!doctype html>"));
  });
  await reload(page);
  await book("none");
  await reload(page);
  await book("here");
});

test("there is no hint without an engine", { tag: "@chromium" }, async ({ page }) => {
  await page.addInitScript(() => {
    WebAssembly.compile = () => Promise.reject(new Error("no memory"));
  });
  await open(page);
  await expect(page.getByText("The engine cannot work here: no memory.")).toBeVisible();
  const hint = page.getByRole("button", { name: "Hint" });
  for (let times = 0; times < 2; times++) {
    await hint.click();
    await expect(hint).toBeEnabled();
  }
  await expect(page.getByTestId("hint")).toHaveCount(0);
  await expect(page.getByText("Looking for the best column")).toHaveCount(0);
});

test("back and forward go from view to view", async ({ page }) => {
  const views = { play: "status", analyse: "headline", watch: "file" };
  const shown = (view: keyof typeof views) => expect(page.getByTestId(views[view])).toBeAttached();
  await open(page);
  await page.keyboard.press("4");
  await page.getByRole("link", { name: "Analyse", exact: true }).click();
  await shown("analyse");
  await page.keyboard.press("5");
  await expect(page).toHaveURL(/#5$/);
  await page.getByRole("link", { name: "Watch" }).click();
  await shown("watch");
  await page.goBack();
  await shown("analyse");
  await expect(page).toHaveURL(/#5$/);
  await page.goBack();
  await shown("play");
  await page.goForward();
  await shown("analyse");
  await open(page);
  await shown("play");
});

test("the link to a view that is shown leaves its game in the address", async ({ page }) => {
  const games = { Play: "#play/12", Analyse: "#4455@2", Watch: "#watch/2/3" };
  for (const [name, hash] of Object.entries(games)) {
    await open(page, hash);
    if (name === "Watch") await page.getByRole("button", { name: "Look at an example" }).click();
    await expect.poll(() => page.url(), name).toMatch(new RegExp(`${hash}$`));
    await page.getByRole("link", { name, exact: true }).click();
    // The address is written in a later task.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    await expect.poll(() => page.url(), name).toMatch(new RegExp(`${hash}$`));
    await page.goBack();
    await expect.poll(() => page.url(), name).toMatch(new RegExp(`${hash}$`));
  }
});

test("a stone in the moment of going forward does not replace the view that is opened", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Two people" }).click();
  await page.getByRole("link", { name: "Analyse", exact: true }).click();
  await expect(page.getByTestId("headline")).toBeAttached();
  await page.goBack();
  await expect(status(page)).toHaveText("Red to move.");
  await page.evaluate(() => {
    const column = document.querySelector<HTMLButtonElement>('button[data-column="4"]');
    addEventListener("popstate", () => column?.click(), { once: true });
  });
  await page.goForward();
  await expect(page.getByTestId("headline")).toBeAttached();
  await expect(page).not.toHaveURL(/play/);
});

test("two tabs lose no game", async ({ context, page }) => {
  await open(page);
  await page.getByRole("button", { name: "Two people" }).click();
  await press(page, "1212");
  const other = await context.newPage();
  await open(other);
  // The second tab starts with a copy.
  expect(await movesOf(other)).toBe("1212");
  await other.getByRole("button", { name: "New game" }).click();
  await press(other, "765432");
  await press(page, "3");
  const kept = (tab: Page) => tab.getByText("Your earlier game is kept");
  await expect(kept(page)).toHaveText([/up to move 6\./]);
  await expect(kept(other)).toHaveText([/up to move 5\./]);
  await other.close();
  await reload(page);
  expect(await movesOf(page)).toBe("12123");
  await kept(page).getByRole("button", { name: "Resume it" }).click();
  expect(await movesOf(page)).toBe("765432");
  await expect(kept(page)).toHaveText([/up to move 5\./]);
});

test("resigning, points over rematches, the title, and a full column", async ({ page }) => {
  await open(page);
  await expect(page).toHaveTitle("You are red and begin: choose a column. – Plumb");
  await page.keyboard.press("4");
  await yourMove(page);
  await expect(page).toHaveTitle("Your move. – Plumb");
  await page.getByRole("button", { name: "Resign" }).click();
  await expect(status(page)).toHaveText("You resigned: Plumb has won.");
  await expect(page.getByTestId("points")).toHaveText(["1", "0"]);
  await page.getByRole("button", { name: "Rematch: you play yellow" }).click();
  await expect(page.getByTestId("points")).toHaveText(["1", "0"]);
  await page.getByRole("button", { name: "Two people" }).click();
  await expect(page.getByTestId("points")).toHaveCount(0);
  await press(page, "444444");
  await expect(page.locator('button[data-column="1"]')).toHaveAttribute("aria-disabled", "false");
  await page.keyboard.press("4");
  await expect(page.getByTestId("fault")).toContainText("Column 4 is full.");
  await press(page, "1");
  await expect(page.getByTestId("fault")).toHaveCount(0);
});

test("two people at one board, with scores", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Two people" }).click();
  await page.getByLabel("Show how each column ends, while I play").check();
  for (const [index, key] of [..."121212"].entries()) {
    await expect(status(page)).toHaveText(index % 2 === 0 ? "Red to move." : "Yellow to move.");
    await page.keyboard.press(key);
    await expect.poll(() => movesOf(page)).toHaveLength(index + 1);
    await expect(page.getByRole("button", { name: /^Column 4/ })).toHaveAttribute("aria-disabled", "false");
  }
  await expect(page.locator('.score[data-column="1"]')).toHaveText(/wins\s*in 1/);
  await page.keyboard.press("1");
  await expect(status(page)).toHaveText("Red has won!");
  await expect(page.getByRole("button", { name: "Rematch" })).toBeVisible();
});

test.describe("with motion", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("an answer comes when the stone has landed, and until then no click counts", async ({ page }) => {
    await open(page);
    await expect(page.getByTestId("engine")).toHaveAttribute("data-book", "here");
    // Falling stones, thinking, and the status while Plumb's stone falls.
    const seen = await page.evaluateHandle(() => {
      const seen = { most: 0, hasThought: false, statuses: new Set<string>() };
      const textOf = (id: string) => document.querySelector(`[data-testid="${id}"]`)?.textContent ?? "";
      const look = () => {
        const inAir = [...document.querySelectorAll("g.falling")].filter((stone) =>
          stone.getAnimations().some(({ playState }) => playState === "running"),
        );
        seen.most = Math.max(seen.most, inAir.length);
        seen.hasThought ||= textOf("status") === "Plumb is thinking …";
        const isClosed = document.querySelector('button.column[aria-disabled="false"]') === null;
        if (isClosed && textOf("moves").match(/[a-g]\d/g)?.length === 2) seen.statuses.add(textOf("status"));
        requestAnimationFrame(look);
      };
      look();
      return seen;
    });
    const { x, y } = (await page.locator('button[data-column="4"]').boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
    await page.waitForTimeout(120);
    await page.mouse.click(x + 5, y + 5);
    await expect.poll(() => movesOf(page)).toHaveLength(2);
    await yourMove(page);
    expect(await movesOf(page)).toHaveLength(2);
    const found = await seen.evaluate((seen) => ({ ...seen, statuses: [...seen.statuses] }));
    expect(found).toEqual({ most: 1, hasThought: true, statuses: ["Your move."] });
  });
});

for (const [width, height] of [
  [1280, 720],
  [390, 844],
] as const) {
  test(`a hint moves nothing at ${width}x${height}, and stays`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page);
    await expect(page.getByTestId("engine")).toHaveAttribute("data-book", "here");
    // Relative to the board, because a click may scroll.
    const places = () =>
      page.locator("main button, main h1, main h2").evaluateAll((parts) => {
        const tops = parts.map((part) => part.getBoundingClientRect().top);
        return tops.map((top) => Math.round(top - tops[0]!));
      });
    const before = await places();
    await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.getByTestId("hint")).toHaveText("Hint: Column d: wins in 41");
    expect(await places()).toEqual(before);
    await page.locator('button[data-column="2"]').hover();
    await expect(page.locator("g.pale")).toHaveCount(2);
  });
}

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
    // The first stone: the reply may fall next to it.
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
  await reload(page);
  await expect(page.getByLabel(/^Level/)).toHaveValue("9");
});
