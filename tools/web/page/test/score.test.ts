import { describe, expect, it } from "vitest";
import { parseBestMove, parseInfo } from "../src/engine/info";
import { Board } from "../src/game/board";
import { Position } from "../src/game/position";
import {
  before,
  combine,
  describe as words,
  describeInSigns,
  describeShortly,
  exactly,
  fromPoints,
  lossIn,
  lossOf,
  outcomeOf,
  toPoints,
  UNKNOWN,
  winIn,
} from "../src/game/score";
import { emptyColumns, isSolved, rankColumns, scoreOf, withInfo } from "../src/state/analysis";

const STANDARD = Board.STANDARD;
const info = (score: string, pv: string, stones = 10) =>
  parseInfo(`info depth 3 seldepth 3 multipv 1 score ${score} nodes 5 nps 6 time 7 pv ${pv}`, stones, STANDARD);

describe("scores", () => {
  it("are told in plain words", () => {
    expect(words(exactly(winIn(9)))).toBe("wins in 9");
    expect(words(exactly(lossIn(14)))).toBe("loses in 14");
    expect(words(exactly(0))).toBe("draw");
    expect(words({ ...UNKNOWN, lower: 0 })).toBe("at least a draw");
    expect(words({ ...UNKNOWN, upper: 0 })).toBe("at most a draw");
    expect(words({ ...UNKNOWN, lower: winIn(9) })).toBe("wins in 9 or fewer");
    expect(words({ ...UNKNOWN, upper: lossIn(8) })).toBe("loses in 8 or fewer");
    expect(words({ ...UNKNOWN, upper: winIn(8), lower: lossIn(8) })).toBe("…");
    expect(describeShortly({ ...UNKNOWN, lower: 0 })).toEqual(["draws", "or wins"]);
    expect(outcomeOf({ ...UNKNOWN, lower: 0 })).toBe("open");
  });

  it("turn into points and back", () => {
    expect(toPoints(lossIn(32), 8, STANDARD)).toBe(-2);
    expect(fromPoints(11, 13, STANDARD)).toBe(winIn(9));
    for (let stones = 0; stones < 40; stones++) {
      for (let points = -15; points <= 15; points++) {
        if (22 - Math.abs(points) <= stones / 2 + 1) continue;
        expect(toPoints(fromPoints(points, stones, STANDARD), stones, STANDARD)).toBe(points);
      }
    }
  });

  it("turn into points and back on every board", () => {
    for (const [width, height] of [
      [4, 4],
      [5, 5],
      [9, 7],
      [4, 31],
    ] as const) {
      const board = Board.of(width, height);
      for (let stones = 0; stones < board.cells; stones++) {
        for (let plies = 1; plies <= board.cells - stones; plies++) {
          const value = plies % 2 === 1 ? winIn(plies) : lossIn(plies);
          const points = toPoints(value, stones, board);
          expect(Math.abs(points)).toBe(Math.floor((board.cells + 2 - stones - plies) / 2));
          expect(fromPoints(points, stones, board), `${board.name} ${stones} ${plies}`).toBe(value);
        }
      }
    }
  });

  it("are estimates while nothing is proven", () => {
    expect(words({ ...UNKNOWN, estimate: -40 })).toBe("about −0.40");
    expect(words({ ...UNKNOWN, lower: 0, estimate: 40 })).toBe("at least a draw");
    expect(describeShortly({ ...UNKNOWN, estimate: 40 })).toEqual(["+0.40", ""]);
  });

  it("have few signs in narrow columns", () => {
    expect(describeInSigns(exactly(winIn(9)))).toEqual(["W", "9"]);
    expect(describeInSigns({ ...UNKNOWN, upper: lossIn(8) })).toEqual(["L", "≤8"]);
    expect(describeInSigns(exactly(0))).toEqual(["D", ""]);
    expect(describeInSigns({ ...UNKNOWN, upper: 0 })).toEqual(["D", "−"]);
    expect(describeInSigns({ ...UNKNOWN, estimate: 123 })).toEqual(["+1.2", ""]);
    expect(describeInSigns({ ...UNKNOWN, estimate: -40 })).toEqual(["−.4", ""]);
    expect(describeInSigns({ ...UNKNOWN, estimate: 1040 })).toEqual(["+10.4", ""]);
    expect(describeInSigns(UNKNOWN)).toEqual(["…", ""]);
  });

  it("change sides with a move", () => {
    expect(before(lossIn(0))).toBe(winIn(1));
    expect(before(winIn(3))).toBe(lossIn(4));
    expect(before(0)).toBe(0);
  });

  it("name what a move gave away", () => {
    expect(lossOf(winIn(9), 0, 10, STANDARD)).toMatchObject({ isBlunder: true, text: "draws instead of winning" });
    expect(lossOf(winIn(9), winIn(13), 10, STANDARD)).toMatchObject({
      isBlunder: false,
      points: 2,
      text: "wins in 13, 4 later than need be",
    });
    expect(lossOf(lossIn(14), lossIn(4), 10, STANDARD)).toMatchObject({
      isBlunder: false,
      points: 5,
      text: "loses in 4, 10 sooner than need be",
    });
    expect(lossOf(0, 0, 10, STANDARD)).toMatchObject({ points: 0, isBlunder: false });
  });

  it("keep what is proven", () => {
    const score = combine({ ...UNKNOWN, lower: 0 }, { ...UNKNOWN, upper: winIn(9) });
    expect(score).toMatchObject({ lower: 0, upper: winIn(9) });
    expect(combine(score, exactly(winIn(11)))).toMatchObject(exactly(winIn(11)));
  });
});

describe("lines of the engine", () => {
  it("count the winner's moves", () => {
    expect(info("mate 2", "P@c1 P@d3 P@f1")?.score).toEqual(exactly(winIn(3)));
    expect(info("mate -2", "P@c1")?.score).toEqual(exactly(lossIn(4)));
    expect(info("mate 20 lowerbound", "P@d1")?.score).toEqual({ ...UNKNOWN, lower: winIn(39) });
    expect(info("mate -19 upperbound", "P@d1")?.score).toEqual({ ...UNKNOWN, upper: lossIn(38) });
  });

  it("prove a draw by a bound or by the moves to the end", () => {
    expect(info("cp 0 lowerbound", "P@d1")?.score).toEqual({ ...UNKNOWN, lower: 0 });
    expect(info("cp 0", "P@d1")?.score).toEqual({ ...UNKNOWN, estimate: 0 });
    expect(info("cp 0", "P@d6 P@e6", 40)?.score).toEqual(exactly(0));
    expect(info("cp 35", "P@d6 P@e6", 40)?.score).toEqual({ ...UNKNOWN, estimate: 35 });
  });

  it("have the columns and the length of their board", () => {
    const board = Board.of(10, 10);
    const line = "info depth 1 score cp 0 nodes 1 time 1 pv P@j9 P@j10";
    expect(parseInfo(line, 98, board)).toMatchObject({ line: [9, 9], score: exactly(0) });
    expect(parseInfo(line, 98, STANDARD)).toBeNull();
    expect(parseBestMove("bestmove P@j10")).toBe(9);
  });

  it("are skipped if they have no score", () => {
    for (const line of [
      "info string hello",
      "info depth 3",
      "bestmove P@d1",
      "info depth 1 score mate x pv d1",
      "info score cp 1 pv z9",
      "",
    ]) {
      expect(parseInfo(line, 0, STANDARD), line).toBeNull();
    }
    expect(parseBestMove("bestmove P@c1 ponder P@d3")).toBe(2);
    expect(parseBestMove("bestmove (none)")).toBeNull();
  });
});

describe("columns", () => {
  it("are gathered, ranked and solved", () => {
    let columns = emptyColumns(Position.empty());
    expect(columns).toHaveLength(7);
    expect(isSolved(columns)).toBe(false);
    const scores = ["mate -20", "mate -20", "cp 0 lowerbound", "mate 21", "cp 0 upperbound", "cp 10", "mate -18"];
    scores.forEach((score, column) => {
      const line = info(score, `P@${"abcdefg".charAt(column)}1`, 0);
      if (line !== null) columns = withInfo(columns, line);
    });
    expect(rankColumns(columns)[0]).toBe(3);
    expect(rankColumns(columns).at(-1)).toBe(6);
    expect(scoreOf(columns).lower).toBe(winIn(41));
    expect(isSolved(columns)).toBe(false);
  });
});
