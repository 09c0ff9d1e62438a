import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { drop, expect, open, test } from "./fixtures";

const data = (name: string): string => readFileSync(new URL(`data/${name}`, import.meta.url), "utf8");
const built = (): string => readFileSync(new URL("../dist/page.html", import.meta.url), "utf8");
const RECORD = data("match.jsonl");

test("a dropped record: standings, games, scores, blunders, steps", async ({ page }) => {
  await open(page, "#watch");
  await drop(page, { "match.jsonl": RECORD });
  const standings = page.getByTestId("standings");
  await expect(standings.locator("tbody tr")).toHaveCount(3);
  await expect(standings.locator("tbody tr").first()).toContainText("plumb");
  await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(4);
  await expect(page.getByTestId("viewer-title")).toContainText("Game 1: plumb won, four in a row");
  await expect(page.locator("circle.winning")).not.toHaveCount(0);
  await page.keyboard.press("Home");
  await expect(page.getByTestId("move-state")).toHaveText("Start of the game.");
  for (let ply = 0; ply < 6; ply++) await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("move-state")).toHaveText("Opening move 6.");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("move-state")).toContainText("a blunder: draws instead of winning");
  await page.keyboard.press("n");
  await expect(page.getByTestId("viewer-title")).toContainText("Game 2");
  await page.getByLabel(/^Engine/).selectOption("skill-12");
  await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(2);
  await page.getByRole("link", { name: "Analyse from here" }).click();
  await expect(page.getByTestId("headline")).toBeVisible();
});

/** The figures of the record with an Elo. */
function figures(): string {
  const summary = JSON.parse(data("summary.json"));
  summary.pairings[0].elo = { value: -12, error: 34, text: "-12.0 ± 34.0" };
  return JSON.stringify(summary);
}

const OPENERS: Record<string, (page: Page, files: Record<string, string>) => Promise<void>> = {
  dropped: drop,
  "through the file button": async (page, files) => {
    const chosen = Object.entries(files).map(([name, text]) => ({ name, mimeType: "", buffer: Buffer.from(text) }));
    await page.getByTestId("file").setInputFiles(chosen);
  },
};
for (const [how, give] of Object.entries(OPENERS)) {
  test(`a record and its summary ${how} together: pairs with their Elo`, async ({ page }) => {
    await open(page, "#watch");
    await give(page, { "match.jsonl": RECORD });
    await expect(page.getByText("summary.json: open it together with match.jsonl")).toBeVisible();
    await expect(page.getByText("Pair by pair")).toHaveCount(0);
    await give(page, { "summary.json": figures(), "match.jsonl": RECORD });
    await expect(page.getByTestId("match-state")).toContainText("4 of 4 games; finished");
    await expect(page.getByText("summary.json")).toHaveCount(0);
    await page.getByText("Pair by pair").click();
    const pairs = page.getByRole("region", { name: "Pairs" }).locator("tbody tr");
    await expect(pairs).toHaveText([/^plumb – skill-12\s*1\s*0\s*1\s*−12 ± 34$/, /^plumb – skill-3\s*2\s*0\s*0\s*–$/]);
    await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(4);
  });
}

test("a PGN through the file button", async ({ page }) => {
  await open(page, "#watch");
  const broken = { name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from("1. d1 d3") };
  await page.getByTestId("file").setInputFiles(broken);
  await expect(page.getByTestId("fault")).toContainText("PGN, game 1, move 2");
  // A corrected file must be a change.
  await expect(page.getByTestId("file")).toHaveValue("");
  const buffer = Buffer.from(data("games.pgn"));
  await page.getByTestId("file").setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer });
  await expect(page.getByTestId("standings").locator("tbody tr").first()).toContainText("plumb");
  await expect(page.getByTestId("viewer-title")).toContainText("Game 1: plumb won, four in a row");
  await expect(page.getByTestId("moves")).toContainText("wins in 1");
});

test("a folder through the button", async ({ page, browserName }) => {
  test.skip(browserName === "firefox", "WebDriver BiDi hands over files, and no folders");
  await open(page, "#watch");
  await page.getByLabel("Open a folder").setInputFiles(fileURLToPath(new URL("data", import.meta.url)));
  await expect(page.getByTestId("move-state")).toBeVisible();
  await expect(page.getByTestId("match-state")).toContainText("4 of 4 games");
});

const [HEADER = "", GAME = ""] = RECORD.split("\n");
const BROKEN: [string, string, string][] = [
  ["match.jsonl", "", "match.jsonl: the file is empty."],
  ["match.jsonl", "{broken\n", "match.jsonl, line 1: “{broken” is not JSON."],
  ["match.jsonl", "{}\n", "match.jsonl, line 1: “format” is missing."],
  ["match.jsonl", HEADER.replace('"format":1', '"format":7'), "match.jsonl, line 1: “format” is 7; expected 1."],
  ["match.jsonl", `${HEADER}\n${GAME}\nnonsense\n`, "match.jsonl, line 3: “nonsense” is not JSON."],
  [
    "match.jsonl",
    `${HEADER}\n${GAME.replace('"column":6', '"column":9')}\n`,
    "match.jsonl, line 2, move 1, “i”: there is no column i (columns a to g).",
  ],
  [
    "match.jsonl",
    `${HEADER}\n${GAME.replace('"moves":"566135"', '"moves":"5555555"')}\n`,
    "match.jsonl, line 2, opening, “e”: column e is full.",
  ],
  [
    "match.jsonl",
    `${HEADER}\n${GAME.replace('"0-1"', '"2-0"')}\n`,
    'match.jsonl, line 2: “result” is "2-0"; expected ("1-0" | "0-1" | "1/2-1/2").',
  ],
  ["games.pgn", "[Event nonsense\n\n1. d1 *", 'games.pgn: PGN, game 1: “[Event nonsense” is no tag like [Event "…"].'],
  [
    "games.pgn",
    '[Event "x"]\n\n1. P@d1 P@d7 *',
    "games.pgn: PGN, game 1, move 2, “P@d7”: the stone lands on rank 2, not 7.",
  ],
  ["picture.gif", "GIF89a", "There is no match.jsonl and no .pgn in “picture.gif”."],
];

test("broken files give one sentence and change nothing", { tag: "@chromium" }, async ({ page }) => {
  await open(page, "#watch");
  await drop(page, { "match.jsonl": RECORD });
  await expect(page.getByTestId("viewer-title")).toBeVisible();
  for (const [name, text, sentence] of BROKEN) {
    await drop(page, { [name]: text });
    await expect(page.getByTestId("fault").locator("p")).toHaveText(sentence);
    await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(4);
  }
});

test("a record of a match that was cut off is read up to there", { tag: "@chromium" }, async ({ page }) => {
  await open(page, "#watch");
  await drop(page, { "match.jsonl": RECORD.slice(0, -200) });
  await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(3);
  await expect(page.getByTestId("match-state")).toHaveText(/^3 games/);
});

const SUMMARY = {
  format: 1,
  title: "a test",
  state: "running",
  games: { played: 1, planned: 4 },
  standings: [
    { name: "plumb", games: 1, wins: 1, points: 1, score: 1, elo: { value: 123, error: 45, text: "123.0 ± 45.0" } },
    { name: "skill-12", games: 1, losses: 1, points: 0, elo: { value: null, text: "< -100" }, mean_ms: 12 },
  ],
  notes: ["a note"],
  theory: { headings: ["beyond theory", "games"], rows: [{ cells: ["plumb - skill-12", "2"] }] },
  pairings: [],
  elo_curve: [
    [1, 100, 90],
    [2, 123, 45],
  ],
  sprt: {
    elo0: 0,
    elo1: 5,
    alpha: 0.05,
    beta: 0.05,
    lower: -2.94,
    upper: 2.94,
    llr: 1,
    path: [
      [1, 0.5],
      [2, 1],
    ],
    decision: "continue",
  },
};

/** Open streams, and the beginning of a new stream. */
interface Events {
  readonly streams: Set<ServerResponse>;
  first: string;
}

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Serves the page with inserted data and events while `run` works. */
async function withData(
  insert: string,
  events: Events | null,
  run: (address: string, close: () => void) => Promise<void>,
): Promise<void> {
  const html = built().replace("<!-- plumb-data -->", () => insert);
  const server = createServer((request, response) => {
    if (request.url === "/events" && events !== null) {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(events.first);
      events.streams.add(response);
      request.on("close", () => events.streams.delete(response));
    } else if (request.url === "/page.html") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(html);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  try {
    await run(`http://127.0.0.1:${address.port}/page.html`, close);
  } finally {
    close();
  }
}

test.describe("with data in the page", () => {
  test("a record and a summary", async ({ context }) => {
    const page = await context.newPage();
    const blocks =
      `<script id="match-record" type="text/plain">${RECORD.replaceAll("</", "<\\/")}</script>` +
      `<script id="match-summary" type="application/json">${JSON.stringify(SUMMARY)}</script>`;
    await withData(blocks, null, async (address) => {
      await page.goto(address);
      await expect(page.getByTestId("standings")).toContainText("+123 ± 45");
      await expect(page.getByTestId("standings")).toContainText("< −100");
      await expect(page.getByTestId("standings")).toContainText("12 ms");
      await expect(page.getByTestId("theory")).toContainText("plumb - skill-12");
      await expect(page.getByText("a note")).toBeVisible();
      await expect(page.getByRole("img", { name: /^Sequential test/ })).toBeVisible();
      await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(4);
      await page.goto("about:blank");
      await page.goto(`${address}#watch/3/7`);
      await expect(page.getByTestId("viewer-title")).toContainText("Game 3:");
      await expect(page.getByTestId("moves").locator('tr.chosen[data-ply="7"]')).toHaveCount(1);
      await page.keyboard.press("ArrowLeft");
      await expect(page).toHaveURL(`${address}#watch/3/6`);
    });
  });

  test("a fault of a record within the page is shown", async ({ context }) => {
    const page = await context.newPage();
    const record = RECORD.replace('"format":1', '"format":2').replaceAll("</", "<\\/");
    await withData(`<script id="match-record" type="text/plain">${record}</script>`, null, async (address) => {
      await page.goto(address);
      const sentence = "The record in the page, line 1: “format” is 2; expected 1.";
      await expect(page.getByTestId("fault").locator("p")).toHaveText(sentence);
    });
  });

  for (const size of ["7x6", "10x10"]) {
    test(`live events of a match on ${size}`, async ({ context }) => {
      const page = await context.newPage();
      const [header = "", game = ""] = (size === "7x6" ? RECORD : data(`match-${size}.jsonl`)).split("\n");
      const live = { ...JSON.parse(game), game: 1, clocks: [59_000, null], turn: "second", seconds: 1 };
      live.moves = live.moves.slice(0, 3);
      const first =
        event("header", JSON.parse(header)) +
        event("record", JSON.parse(game)) +
        event("live", live) +
        event("summary", SUMMARY);
      const events = { first, streams: new Set<ServerResponse>() };
      await withData('<meta name="plumb-live" content="events" />', events, async (address) => {
        await page.goto(address);
        await expect(page.getByTestId("live").getByRole("article")).toHaveCount(1);
        await expect(page.getByTestId("live")).toContainText("0:59");
        const [width, height] = size.split("x").map(Number);
        const viewBox = `-12 -12 ${100 * width! + 24} ${100 * height! + 24}`;
        await expect(page.getByTestId("live").locator('svg[role="img"]')).toHaveAttribute("viewBox", viewBox);
        await expect(page.getByTestId("match-state")).toContainText("Live. 1 of 4 games; running");
        await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(1);
      });
    });
  }

  /** Game 1 has ended, games 2 and 3 are running. */
  function running(): Events & { send(text: string): void } {
    const [header = "", ...games] = RECORD.trim().split("\n");
    const [one, two, three] = games.map((line) => JSON.parse(line) as Record<string, unknown>);
    const live = (game: Record<string, unknown> | undefined) =>
      event("live", {
        ...game,
        moves: (game?.moves as unknown[]).slice(0, 3),
        clocks: [59_000, 59_000],
        turn: "second",
      });
    const streams = new Set<ServerResponse>();
    return {
      streams,
      first: [
        event("header", JSON.parse(header)),
        event("record", one),
        live(two),
        live(three),
        event("summary", SUMMARY),
      ].join(""),
      send: (text) => streams.forEach((stream) => stream.write(text)),
    };
  }
  const ended = (line: number, changes = {}) =>
    event("record", { ...JSON.parse(RECORD.split("\n")[line]!), ...changes });
  const META = '<meta name="plumb-live" content="events" />';

  test("live: running games first, ends stay for seconds, a crash says so, a click enlarges", async ({ context }) => {
    const page = await context.newPage();
    const events = running();
    await withData(META, events, async (address) => {
      await page.clock.install();
      await page.goto(address);
      await expect(page).toHaveTitle(/^1 of 4 games, plumb - skill-12 - skill-3 – Plumb$/);
      const games = page.getByTestId("live").getByRole("article");
      await expect(games).toHaveCount(2);
      const faults = async () => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id);
      expect(await faults()).toEqual([]);
      // Ended games stay while the clock stands still.
      await page.clock.pauseAt(Date.now() + 60_000);
      const next = JSON.parse(RECORD.split("\n")[4]!);
      events.send(ended(2) + event("live", { ...next, moves: next.moves.slice(0, 2), turn: "first" }));
      await expect(games).toHaveCount(3);
      await expect(games.last()).toHaveAttribute("aria-label", /^Game 2: plumb won|^Game 2: skill-12 won/);
      await expect(games.last().locator("circle.winning")).toHaveCount(4);
      events.send(ended(3, { result: "1-0", reason: "crash", detail: "it ended", moves: [] }));
      await expect(games.nth(1)).toContainText("Game 3: ");
      await expect(games.nth(1)).toContainText("crashed");
      await expect(games.first()).toHaveAttribute("data-game", "4");
      await page.getByRole("button", { name: "Game 2, larger" }).click();
      const large = page.getByRole("dialog", { name: "A game, larger" });
      await expect(large).toContainText("Game 2: ");
      const widths = [await large.locator("svg[role=img]").boundingBox(), await games.first().boundingBox()];
      expect(widths[0]!.width).toBeGreaterThan(1.5 * widths[1]!.width);
      // Later only the running game has a board.
      await page.clock.resume();
      await page.clock.fastForward(6000);
      await expect(games).toHaveCount(1);
      await expect(large).toContainText("Game 4, move");
      expect(await faults()).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("heading", { name: "Last results" })).toBeVisible();
      await expect(page.getByTestId("games").locator("tbody tr").first()).toContainText("crashed");
    });
  });

  test("live: a match that is interrupted comes back when it is resumed on the same port", async ({ context }) => {
    const page = await context.newPage();
    const events = running();
    await withData(META, events, async (address) => {
      await page.goto(address);
      await expect(page.getByTestId("live").getByRole("article")).toHaveCount(2);
      events.send(event("summary", { ...SUMMARY, state: "interrupted" }) + event("end", { state: "interrupted" }));
      await expect(page.getByTestId("lost")).toBeVisible();
      events.first += ended(2);
      await expect.poll(() => events.streams.size).toBe(1);
      await expect(page.getByTestId("lost")).toHaveCount(0);
      await expect(page.getByTestId("games").locator("tbody tr")).toHaveCount(2);
      events.send(event("end", { state: "finished" }));
      await expect(page.getByTestId("match-state")).not.toContainText("Live.");
    });
  });

  test("live: the game of a link is waited for, until another is chosen", async ({ context }) => {
    for (const isChosen of [false, true]) {
      const page = await context.newPage();
      const events = running();
      await withData(META, events, async (address) => {
        await page.goto(`${address}#watch/3/2`);
        const rows = page.getByTestId("games").locator("tbody tr");
        await expect(rows).toHaveCount(1);
        if (isChosen) await rows.getByRole("button").click();
        events.send(ended(3));
        await expect(rows).toHaveCount(2);
        await expect(page.getByTestId("viewer-title")).toContainText(isChosen ? "Game 1:" : "Game 3:");
      });
    }
  });

  test("live: another match takes the place of the one before, and of its game", async ({ context }) => {
    const page = await context.newPage();
    const events = running();
    await withData(META, events, async (address) => {
      await page.goto(`${address}#watch/1/2`);
      await expect(page.getByTestId("viewer-title")).toContainText("Game 1:");
      events.send(event("header", { ...JSON.parse(HEADER), started: "later" }) + ended(3));
      await expect(page.getByTestId("games")).toContainText("1–0");
      await expect(page.getByTestId("viewer-title")).toHaveCount(0);
    });
  });

  test(
    "a link before a file opens its game, and is forgotten with the match",
    { tag: "@chromium" },
    async ({ page }) => {
      const one = RECORD.split("\n").slice(0, 2).join("\n");
      await open(page, "#watch/3/2");
      await drop(page, { "match.jsonl": RECORD });
      await expect(page.getByTestId("viewer-title")).toContainText("Game 3:");
      await expect(page).toHaveURL(/#watch\/3\/2$/);
      await page.getByRole("button", { name: "Close the match" }).click();
      await open(page, "#watch/4/2");
      await drop(page, { "match.jsonl": one });
      await expect(page.getByTestId("viewer-title")).toContainText("Game 1:");
      await page.getByRole("button", { name: "Close the match" }).click();
      await drop(page, { "match.jsonl": RECORD });
      await expect(page.getByTestId("viewer-title")).toContainText("Game 1:");
    },
  );

  test("live: a file ends the stream, and there is a way back; a lost server is told and its last state stays", async ({
    context,
  }) => {
    const page = await context.newPage();
    const events = running();
    await withData(META, events, async (address, close) => {
      await page.goto(address);
      await expect(page.getByTestId("live").getByRole("article")).toHaveCount(2);
      await drop(page, { "games.pgn": data("games.pgn") });
      await expect.poll(() => events.streams.size).toBe(0);
      await expect(page.getByTestId("live")).toHaveCount(0);
      await expect(page.getByTestId("standings")).not.toContainText("123");
      await page.getByRole("button", { name: "Back to the running match" }).click();
      await expect(page.getByTestId("live").getByRole("article")).toHaveCount(2);
      // Clocks stop soon after the last event.
      await page.waitForTimeout(2000);
      const clocks = await page.locator(".clock").allTextContents();
      close();
      await expect(page.getByTestId("lost")).toBeVisible();
      await expect(page.getByTestId("standings")).toContainText("123");
      await page.waitForTimeout(1200);
      expect(await page.locator(".clock").allTextContents()).toEqual(clocks);
    });
  });

  test("live: a tab that nobody sees gives its connection back", async ({ context }) => {
    const events = running();
    await withData(META, events, async (address) => {
      // A browser has six connections per server. Headless browsers show all tabs.
      const pages = await Promise.all(Array.from({ length: 8 }, () => context.newPage()));
      for (const page of pages) {
        await page.goto(address);
        await expect(page.getByTestId("live").getByRole("article")).toHaveCount(2);
        await page.evaluate(() => {
          Object.defineProperty(document, "visibilityState", {
            get: () => (window as unknown as { seen?: string }).seen ?? "hidden",
          });
          document.dispatchEvent(new Event("visibilitychange"));
        });
        await expect.poll(() => events.streams.size).toBe(0);
      }
      const [first] = pages;
      await first!.evaluate(() => {
        Object.assign(window, { seen: "visible" });
        document.dispatchEvent(new Event("visibilitychange"));
      });
      await expect.poll(() => events.streams.size).toBe(1);
      events.send(ended(2));
      await expect(first!.getByTestId("live").getByRole("article").last()).toContainText("won");
    });
  });
});

test("the board comes before the tables, the list is sorted, and the settings of the engines are shown", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, "#watch");
  await drop(page, { "match.jsonl": RECORD, "summary.json": figures() });
  await expect(page.locator(".frame")).toBeInViewport({ ratio: 0.9 });
  await expect(page).toHaveTitle(/^Game 1: skill-12 – plumb, plumb - skill-12 - skill-3 – Plumb$/);
  const rows = page.getByTestId("games").locator("tbody tr");
  const heading = page.getByTestId("games").getByRole("columnheader", { name: "Moves" });
  await heading.getByRole("button").click();
  await expect(heading).toHaveAttribute("aria-sort", "descending");
  const counts = (await rows.locator("td:nth-child(5)").allTextContents()).map(Number);
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
  await page.getByText("Settings of the engines and of the match").click();
  await expect(page.getByText(/^skill-3: .*Skill Level 3/)).toBeVisible();
  // Without checks there is no column of blunders, with few games no Elo.
  const summary = JSON.parse(figures());
  summary.standings[0].elo = { value: null, error: null, text: "> -217" };
  await drop(page, {
    "match.jsonl": RECORD.replaceAll(/"loss":\d+/g, '"loss":null'),
    "summary.json": JSON.stringify(summary),
  });
  await expect(page.getByTestId("games").getByRole("columnheader", { name: "Blunders" })).toHaveCount(0);
  await expect(page.getByTestId("standings")).toContainText("too few games (> −217)");
});

test("a move has one number in Watch and in Analyse, also after a FEN", { tag: "@chromium" }, async ({ page }) => {
  await open(page, "#watch");
  await drop(page, { "games.pgn": '[FEN "7/7/7/7/3p3/3P3"]\n\n2. P@d3 P@d4 *' });
  await expect(page.getByTestId("moves")).toContainText("3. d3");
  await page.getByRole("link", { name: "Analyse from here" }).click();
  await expect(page.getByRole("group", { name: "Moves" })).toContainText("3. d3");
});

test("an example match plays by itself and pauses", async ({ page }) => {
  await open(page, "#watch");
  await page.getByRole("button", { name: "Look at an example" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const hashOf = () => page.evaluate(() => location.hash);
  await expect.poll(hashOf, { intervals: [50] }).toMatch(/#watch\/1\/[2-9]$/);
  await page.getByRole("button", { name: "Pause" }).click();
  const hash = await hashOf();
  await page.waitForTimeout(1500);
  expect(await hashOf()).toBe(hash);
});

test("results are in sight on a phone, however long the names are", { tag: "@chromium" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "#watch");
  const long = RECORD.replaceAll("skill-12", "an-engine-with-a-name-".repeat(4)).replaceAll(
    '"plumb"',
    `"${"x".repeat(60)}"`,
  );
  await drop(page, { "match.jsonl": long });
  for (const [list, name] of [
    ["standings", "Points"],
    ["standings", "Won"],
    ["games", "Result"],
  ] as const) {
    const heading = page.getByTestId(list).getByRole("columnheader", { name });
    const { x, width } = (await heading.boundingBox())!;
    expect(x + width, name).toBeLessThanOrEqual(390);
  }
});
