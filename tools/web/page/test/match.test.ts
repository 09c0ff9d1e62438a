import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Board } from "../src/game/board";
import { parseLive } from "../src/match/live";
import { openMatch } from "../src/match/open_files";
import { parsePgnRecord } from "../src/match/pgn_record";
import { parseRecord } from "../src/match/record";
import { eloOf, eloWithError, summarize } from "../src/match/statistics";
import { parseSummary } from "../src/match/summary";
import { clockText, eloText, opinionText, resultText } from "../src/match/words";

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

  it("add up", () => {
    const summary = summarize(match);
    expect(summary.standings[0]).toMatchObject({ name: "plumb", games: 4, wins: 3, draws: 0, losses: 1, points: 3 });
    expect(summary.pairings).toHaveLength(2);
    expect(summary.state).toBe("finished");
  });

  it("end where a match was cut off", () => {
    const text = data("match.jsonl");
    expect(parseRecord(text.slice(0, -50)).games).toHaveLength(3);
    expect(summarize(parseRecord(text.slice(0, -50))).state).toBe("interrupted");
  });

  it("are found among files", async () => {
    const files = [
      file("report.html", ""),
      file("games.pgn", data("games.pgn")),
      file("match.jsonl", data("match.jsonl")),
    ];
    expect((await openMatch(files)).header.engines).toHaveLength(3);
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
    expect(() => read('"board":"five"')).toThrow("line 1: the board is “five” and must be a size like 8x7.");
    expect(() => read('"board":"4x4"')).toThrow("opening: Move 3, “5”: a move is a digit from 1 to 4.");
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
    expect(() => parseLive({ moves: [{ column: 8 }] }, Board.STANDARD)).toThrow("Live game, move 1: the column is “8”");
    expect(() => parseLive(null, Board.STANDARD)).toThrow("“moves” are missing");
  });
});

describe("figures", () => {
  it("have an interval", () => {
    expect(eloOf(0.5)).toBeCloseTo(0);
    expect(eloOf(0.75)).toBeCloseTo(190.85, 1);
    expect(eloOf(1)).toBeNull();
    const { elo, error } = eloWithError(60, 20, 20);
    expect(elo).toBeCloseTo(147.2, 0);
    expect(error).toBeGreaterThan(50);
    expect(eloWithError(0, 0, 0)).toEqual({ elo: null, error: null });
  });

  it("are read from a summary", () => {
    expect(() => parseSummary({ format: 2 })).toThrow("format 1");
    const summary = parseSummary({
      format: 1,
      games: { played: 1, planned: 2 },
      sprt: { path: [[1, 0.5]] },
      elo_curve: [[1, 2, 3]],
    });
    expect(summary).toMatchObject({ played: 1, planned: 2, eloCurve: [[1, 2, 3]], standings: [] });
    expect(summary.sprt?.verdict).toBeNull();
  });

  it("are told in words", () => {
    expect(opinionText({ mate: -8 })).toBe("loses in 8");
    expect(opinionText({ cp: -40 })).toBe("−0.40");
    expect(eloText(-12.4, 3)).toBe("−12 ± 3");
    expect(clockText(125_000)).toBe("2:05");
    expect(clockText(-5)).toBe("0.0");
    expect(resultText({ first: "a", second: "b", result: "0-1" })).toBe("b won");
  });
});
