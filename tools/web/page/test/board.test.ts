import { describe, expect, it } from "vitest";
import { faultOf, LINES, Position, positionsOf } from "../src/game/board";
import { toSvg, inWords } from "../src/game/draw";
import { parseFen, toFen, toRows } from "../src/game/fen";
import { parseLink, toLink } from "../src/game/link";
import { parseDigits, parseMove, toDigits, toMoveText } from "../src/game/notation";
import { parseAnything, toPositionCommand } from "../src/game/paste";
import { parsePgn, toPgn } from "../src/game/pgn";

const at = (digits: string): Position =>
  parseDigits(digits).reduce((position, column) => position.play(column), Position.EMPTY);

describe("board", () => {
  it("has 69 lines of four", () => expect(LINES).toHaveLength(69));

  it("sees each direction of a line", () => {
    for (const digits of ["1122334", "1212121", "12233434464", "76655454424", "4343434"]) {
      expect(at(digits).winningCells.length, digits).toBeGreaterThanOrEqual(4);
      expect(at(digits).winner, digits).toBe(0);
      expect(at(digits.slice(0, -1)).isWon, digits).toBe(false);
    }
  });

  it("ends with a full board", () => {
    const drawn = at("112212112212334434334434556656556656777777".slice(0, 12));
    expect(drawn.isOver).toBe(false);
    expect(drawn.legalColumns).not.toContain(0);
  });

  it("marks two lines at once", () => expect(at("1122335566774").winningCells.length).toBe(7));

  it("finds fault with cells that are no position", () => {
    const cells = [...Position.EMPTY.cells];
    cells[1] = 0;
    expect(faultOf(cells)).toContain("a2 has nothing under it");
    cells[0] = 0;
    expect(faultOf(cells)).toContain("2 stones and the second 0");
  });

  it("describes itself", () => {
    expect(inWords(at("445"))).toContain("column 4: first, second; column 5: first");
    expect(toSvg(at("445")).match(/<circle/g)).toHaveLength(42 + 1);
  });
});

describe("notation", () => {
  it("reads every kind of move", () => {
    for (const word of ["4", "d", "D", "d1", "@d1", "P@d1", "p@d1"])
      expect(parseMove(word, Position.EMPTY, "x")).toBe(3);
    for (const word of ["0", "8", "h", "d0", "e2e4", ""])
      expect(() => parseMove(word, Position.EMPTY, "x")).toThrow("x:");
    expect(() => parseMove("d2", Position.EMPTY, "x")).toThrow("lands on d1");
  });

  it("numbers moves", () =>
    expect(toMoveText({ start: Position.EMPTY, moves: parseDigits("445") })).toBe("1. d1 d2 2. e1"));

  it("reads what is pasted", () => {
    for (const text of [
      "4455",
      "4 4 5 5",
      "d1 d2 e1 e2",
      "startpos moves d1 d2 e1 e2",
      "1. d1 d2 2. e1 e2",
      "P@d1,P@d2,P@e1,P@e2",
    ]) {
      expect(toDigits(parseAnything(text).moves), text).toBe("4455");
    }
    expect(toDigits(parseAnything("7/7/7/7/7/3P3 b moves 4 5").moves)).toBe("45");
  });

  it("gives the engine the same line", () => {
    expect(toPositionCommand(parseAnything("4455"), 2)).toBe("position 44");
    expect(toPositionCommand(parseAnything("4455"), 0)).toBe("position startpos");
    expect(toPositionCommand(parseAnything("7/7/7/7/7/3P3 b moves 4 5"), 2)).toMatch(
      /^position fen 7\/.*\] b - - 0 1 moves 4 5$/,
    );
  });
});

describe("FEN", () => {
  it("is written as the engine writes it", () => {
    expect(toFen(Position.EMPTY)).toBe("7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1");
    expect(toFen(at("44"))).toBe("7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2");
  });

  it("is read in every form", () => {
    for (const text of [
      "7/7/7/7/3p3/3P3",
      "7/7/7/7/3o3/3x3 w",
      "7/7/7/7/3y3/3r3 r",
      "fen 7/7/7/7/3O3/3X3 w - - 0 2",
      toFen(at("44")),
    ]) {
      expect(toRows(parseFen(text)), text).toBe("7/7/7/7/3p3/3P3");
    }
  });

  it("comes back from random games", () => {
    let seed = 1;
    for (let game = 0; game < 50; game++) {
      let position = Position.EMPTY;
      while (!position.isOver) {
        seed = (seed * 48271) % 2147483647;
        const columns = position.legalColumns;
        position = position.play(columns[seed % columns.length] ?? 0);
        expect(parseFen(toFen(position)).cells).toEqual(position.cells);
      }
    }
  });
});

describe("link", () => {
  it("holds position, moves and place", () => {
    for (const hash of ["#4455", "#4455@2", "#4455@0", "#fen=7/7/7/7/7/3P3&moves=45@1", "#fen=7/7/7/7/7/3P3"]) {
      const target = parseLink(hash);
      if (target === null || "view" in target) throw new Error(hash);
      expect(toLink(target.line, target.ply)).toBe(hash);
    }
    expect(parseLink("#watch")).toEqual({ view: "watch" });
    expect(parseLink("")).toBeNull();
    expect(() => parseLink("#%E0%A4%A")).toThrow("Link:");
    expect(() => parseLink("#fen=8/8")).toThrow("Link: FEN:");
  });
});

describe("PGN", () => {
  const LINE = { start: Position.EMPTY, moves: parseDigits("1212121") };

  it("comes back", () => {
    const text = toPgn(LINE, ["A", "B"] as const, "2026.01.31");
    expect(text).toContain('[Result "1-0"]');
    const game = parsePgn(text)[0];
    expect(game?.line.moves).toEqual(LINE.moves);
    expect(game?.result).toBe("1-0");
    expect(game?.tags.White).toBe("A");
  });

  it("comes back from a position that was set up", () => {
    const line = parseAnything("7/7/7/7/7/3P3 b moves 4 5");
    const text = toPgn(line, ["A", "B"], "2026.01.31");
    expect(text).toContain("1... P@d2 2. P@e1 *");
    expect(toRows(positionsOf(parsePgn(text)[0]!.line).at(-1)!)).toBe("7/7/7/7/3p3/3PP2");
  });

  it("skips comments, variations, marks and numbers", () => {
    const game = parsePgn("1. d1! {good} $1 (1. e1 e2 (1. f1)) d2 ; the rest\n2.e1 e2?? 1/2-1/2")[0];
    expect(toDigits(game?.line.moves ?? [])).toBe("4455");
    expect(game?.comments).toEqual(["good", "", "", ""]);
  });

  it("names the game and the move", () => {
    expect(() => parsePgn("1. d1 *\n\n1. d1 d3 *")).toThrow(
      "PGN, game 2, move 2, “d3”: a stone in this column lands on d2.",
    );
    expect(() => parsePgn("")).toThrow("there is no game");
    expect(() => parsePgn('[FEN "8/8"]\n1. d1')).toThrow("PGN, game 1: FEN:");
  });
});
