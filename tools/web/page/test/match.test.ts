import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Board } from "../src/game/board";
import { parseLive } from "../src/match/live";
import { openMatch } from "../src/match/open_files";
import { parsePgnRecord } from "../src/match/pgn_record";
import { parseRecord } from "../src/match/record";
import { countResults, parseSummary } from "../src/match/summary";
import { clockText, eloText, isForfeit, opinionText, resultText, thoughtText } from "../src/match/words";

const data = (name: string): string => readFileSync(new URL(`../../tests/data/${name}`, import.meta.url), "utf8");
const file = (name: string, text: string) => ({ name, text: () => Promise.resolve(text) });

describe("records", () => {
  const match = parseRecord(data("match.jsonl"));

  it("have all games", () => {
    expect(match.header.engines).toEqual(["plumb", "skill-12", "skill-3"]);
    expect(match.games).toHaveLength(4);
    expect(match.games[0]).toMatchObject({ openingPlies: 6, first: "skill-12", second: "plumb", result: "0-1" });
    expect(match.games[0]?.moves[0]).toMatchObject({ column: 5, loss: 3, exact: 3, score: { cp: 10 } });
  });

  it("are the same from PGN", () => {
    const pgn = parsePgnRecord(data("games.pgn"));
    expect(
      pgn.games.map(({ first, second, result, reason, line, openingPlies }) => ({
        first,
        second,
        result,
        reason,
        line,
        openingPlies,
      })),
    ).toEqual(
      match.games.map(({ first, second, result, reason, line, openingPlies }) => ({
        first,
        second,
        result,
        reason,
        line,
        openingPlies,
      })),
    );
    expect(pgn.games[0]?.moves.at(-1)?.score).toEqual({ mate: 1 });
    expect(pgn.games[0]?.moves[0]).toMatchObject({ depth: 8, score: { cp: 10 } });
  });

  it("have in PGN what the comments have: a score, a time, both or neither", () => {
    const comments = [
      ["0.051s, clock 1.95s", null, 51, 1950],
      ["2.3s", null, 2300, null],
      ["10s", null, 10000, null],
      ["10", { cp: 1000 }, null, null],
      ["-0.30/12 10s", { cp: -30 }, 10000, null],
      ["M3/4 0.05s", { mate: 3 }, 50, null],
      ["", null, null, null],
    ] as const;
    for (const [comment, score, milliseconds, clock] of comments)
      expect(parsePgnRecord(`1. d1 {${comment}} *`).games[0]?.moves[0], comment).toMatchObject({
        score,
        milliseconds,
        clock,
      });
  });

  it("add up to the results of their summary", () => {
    const [counted, summary] = [countResults(match), parseSummary(JSON.parse(data("summary.json")))];
    const results = ({ standings }: typeof summary) =>
      standings.map(({ name, games, wins, draws, losses, points, score }) => ({
        name,
        games,
        wins,
        draws,
        losses,
        points,
        score,
      }));
    expect(results(counted)).toEqual(results(summary));
    expect(counted.standings[0]).toMatchObject({ name: "plumb", games: 4, wins: 3, draws: 0, losses: 1, points: 3 });
    expect(counted).toMatchObject({ state: null, games: { planned: null, played: 4 } });
    expect(summary).toMatchObject({ state: "finished", games: { planned: 4, played: 4 }, time_control: "st=0.05" });
    expect(summary.theory?.rows[0]?.cells[0]).toBe("plumb - skill-12");
  });

  it("end where a match was cut off", () => {
    const text = data("match.jsonl");
    for (const end of [-50, text.lastIndexOf("},") + 1]) expect(parseRecord(text.slice(0, end)).games).toHaveLength(3);
  });

  it("are found among files", async () => {
    const files = [
      file("report.html", ""),
      file("games.pgn", data("games.pgn")),
      file("match.jsonl", data("match.jsonl")),
    ];
    expect(await openMatch(files)).toMatchObject({ header: { engines: { length: 3 } }, summary: null });
    const withSummary = (record: string) =>
      openMatch([file("summary.json", data("summary.json")), file("match.jsonl", record)]);
    expect((await withSummary(data("match.jsonl"))).summary?.state).toBe("finished");
    expect((await withSummary(data("match.jsonl").slice(0, -50))).summary).toBeNull();
    expect((await openMatch(files.slice(0, 2))).games).toHaveLength(4);
    await expect(openMatch(files.slice(0, 1))).rejects.toThrow("no match.jsonl and no .pgn in “report.html”");
    await expect(openMatch([])).rejects.toThrow("Nothing was dropped");
  });
});

describe("records of boards of other sizes", () => {
  for (const size of ["5x4", "10x10"]) {
    it(`are read: ${size}`, () => {
      const match = parseRecord(data(`match-${size}.jsonl`));
      expect(match.header.board.name).toBe(size);
      const pgn = parsePgnRecord(data(`games-${size}.pgn`));
      expect(pgn.header.board.name).toBe(size);
      const byNumber = [...match.games].sort((a, b) => a.number - b.number);
      expect(pgn.games.map(({ line }) => line)).toEqual(byNumber.map(({ line }) => line));
      expect(pgn.games.map(({ reason }) => reason)).toEqual(byNumber.map(({ reason }) => reason));
    });
  }

  it("name a board that exists", () => {
    const [header = "", ...games] = data("match-5x4.jsonl").split("\n");
    const read = (board: string) => parseRecord([header.replace('"board":"5x4"', board), ...games].join("\n"));
    expect(() => read('"board":"5x3"')).toThrow("match.jsonl, line 1: A board of 5x3: there must be");
    expect(() => read('"board":"five"')).toThrow("line 1: the board is “five”; expected a size such as 8x7.");
    expect(() => read('"board":"4x4"')).toThrow("opening, “e”: there is no column e (columns a to d).");
  });
});

describe("live events", () => {
  it("are games in progress", () => {
    const live = parseLive(
      {
        game: 3,
        first: "a",
        second: "b",
        opening: { name: "", moves: "44" },
        moves: [{ column: 5, time_ms: 1 }],
        clocks: [5, null],
        turn: "second",
      },
      Board.STANDARD,
    );
    expect(live).toMatchObject({ number: 3, openingPlies: 2, clocks: [5, null], turn: 1 });
    expect(live.line.moves).toEqual([3, 3, 4]);
    const players = { first: "a", second: "b" };
    expect(() => parseLive({ ...players, moves: [{ column: 8 }] }, Board.STANDARD)).toThrow(
      "Live game, move 1, “h”: there is no column h (columns a to g).",
    );
    expect(() => parseLive({ ...players, moves: [{ column: 0 }] }, Board.STANDARD)).toThrow("“moves 1 column” is 0");
    expect(() => parseLive(players, Board.STANDARD)).toThrow("Live game: “moves” is missing.");
  });
});

describe("figures", () => {
  it("are read from a summary", () => {
    expect(() => parseSummary({ format: 2 })).toThrow("“format” is 2; expected 1.");
    const summary = parseSummary({
      format: 1,
      games: { played: 1, planned: 2 },
      sprt: { path: [[1, 0.5]], decision: "continue" },
      elo_curve: [[1, 2, 3]],
    });
    expect(summary).toMatchObject({ games: { played: 1, planned: 2 }, elo_curve: [[1, 2, 3]], standings: [] });
    expect(summary.sprt).toMatchObject({ elo0: 0, path: [[1, 0.5]] });
  });

  it("tell forfeits from other ends, by the words of a record and of a PGN", () => {
    const played = ["four_in_a_row", "full_board", "adjudicated", "adjudication", "unterminated", ""];
    const forfeited = ["time_forfeit", "illegal_move", "crash", "hang", "nonsense", "several_best_moves"];
    const ofPgn = ["abandoned", "stalled_connection", "rules_infraction"];
    expect([...played, ...forfeited, ...ofPgn].filter(isForfeit)).toEqual([...forfeited, ...ofPgn]);
  });

  it("are told in words", () => {
    expect(opinionText({ mate: -8 })).toBe("loses in 8");
    expect(opinionText({ mate: -8, bound: "lower" })).toBe("loses in 8 or better");
    expect(opinionText({ cp: -40 })).toBe("−0.40");
    expect(opinionText({ cp: 0, bound: "upper" })).toBe("even or worse");
    const move = { column: 1, score: { cp: 0 }, lower: { mate: 17 } };
    const lines = data("match.jsonl").split("\n");
    const game = { ...JSON.parse(lines[1]!), moves: [move] };
    const recorded = parseRecord(`${lines[0]}\n${JSON.stringify(game)}\n`).games[0]?.moves[0];
    const written = parsePgnRecord("1. d1 {0.00/4 0.001s, clock 1.00s, lower bound +M17, Black: crash} *").games[0]
      ?.moves[0];
    for (const played of [recorded!, written!]) expect(thoughtText(played)).toBe("even, then wins in 17 or better");
    expect(eloText({ value: -12.4, error: 3, text: "-12.4 ± 3.0" })).toBe("−12 ± 3");
    expect(eloText({ value: 0, error: 0, text: "0.0 ± 0.0" })).toBe("even");
    expect(eloText({ value: null, error: null, text: "< -312" })).toBe("< −312");
    expect(eloText({ value: null, error: null, text: "> -217" })).toBe("too few games (> −217)");
    expect(clockText(125_000)).toBe("2:05");
    expect(clockText(-5)).toBe("0.0");
    expect(resultText({ first: "a", second: "b", result: "0-1" })).toBe("b won");
  });
});
