import { describe, expect, it } from "vitest";
import { Board } from "../src/game/board";
import { toSvg, inWords } from "../src/game/draw";
import { parseFen, toFen, toRows } from "../src/game/fen";
import { parseBody, parseLink, toLink, toPlayLink } from "../src/game/link";
import { geometryOf } from "../src/game/geometry";
import { parseColumns, parseMove, toColumns, toMoveText } from "../src/game/notation";
import { parseAnything, toPositionCommand } from "../src/game/paste";
import { parsePgn, toPgn } from "../src/game/pgn";
import { faultOf, type Line, Position, positionsOf } from "../src/game/position";

const EMPTY = Position.empty();
const on = (size: string): Position => Position.empty(Board.parse(size)!);
const at = (columns: string, start = EMPTY): Position =>
  parseColumns(columns, start).reduce((position, column) => position.play(column), start);
const digitsOf = (line: Line): string => toColumns(line.moves, line.start.board);

describe("board", () => {
  it("has 69 lines of four", () => expect(Board.STANDARD.lines).toHaveLength(69));

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
    const cells = [...EMPTY.cells];
    cells[1] = 0;
    expect(faultOf(Board.STANDARD, cells)).toContain("a2 has nothing under it");
    cells[0] = 0;
    expect(faultOf(Board.STANDARD, cells)).toContain("2 stones and yellow 0");
  });

  it("describes itself", () => {
    expect(inWords(at("445"))).toContain("column 4: red, yellow; column 5: red");
    expect(toSvg(at("445")).match(/<circle/g)).toHaveLength(42 + 1);
  });
});

describe("boards of other sizes", () => {
  it("are those that the engine takes", () => {
    let count = 0;
    for (let width = 1; width < 40; width++) {
      for (let height = 1; height < 40; height++) {
        const isTaken = Math.min(width, height) >= 4 && width * (height + 1) <= 128;
        if (isTaken) expect(Board.of(width, height).name).toBe(`${width}x${height}`);
        else expect(() => Board.of(width, height)).toThrow(/^A board of \d+x\d+: /);
        count += isTaken ? 1 : 0;
      }
    }
    expect(count).toBe(157);
    expect(Board.parse("8x7")).toBe(Board.of(8, 7));
    expect(Board.parse("8")).toBeNull();
    expect(() => Board.of(3, 9)).toThrow("there must be at least 4 columns and 4 rows.");
    expect(() => Board.of(12, 10)).toThrow("with 12 columns there can be 9 rows at most;");
    expect(() => Board.of(26, 4)).toThrow("there can be 25 columns at most;");
    for (const [width, height] of [[4.5, 4] as const, [4, 4.5] as const]) {
      expect(() => Board.of(width, height)).toThrow("columns and rows must be whole numbers.");
    }
  });

  it("have their own lines, walls and ends", () => {
    // Four columns and rows: ten lines, and two of them slant.
    expect(on("4x4").board.lines).toHaveLength(10);
    const across = at("5253545", on("5x4"));
    expect(across.winner).toBe(0);
    // The last line of the widest board.
    expect(at("vawaxay", on("25x4")).winningCells).toHaveLength(4);
    // A line does not go on in the next column: a4, b1, b2, b3 are four successive cells.
    expect(at("1111323242", on("5x4")).isWon).toBe(false);
    const full = at("1111223344223344".slice(0, 4), on("4x4"));
    expect(full.isFull(0)).toBe(true);
    expect(full.legalColumns).toEqual([1, 2, 3]);
  });

  it("are drawn in their size", () => {
    const position = at("89", on("9x7"));
    expect(geometryOf(position.board).viewBox).toBe("-12 -12 924 724");
    expect(toSvg(position).match(/<circle/g)).toHaveLength(63 + 1);
    expect(toSvg(position)).toContain('width="924" height="724"');
    expect(inWords(position)).toBe(
      "Board of 9 columns and 7 rows, each column from the bottom. column 8: red; column 9: yellow",
    );
  });

  it("have letters for columns where there are more than nine", () => {
    expect(parseColumns("9", on("9x7"))).toEqual([8]);
    expect(() => parseColumns("8", on("5x4"))).toThrow("a move is a digit from 1 to 5.");
    // As `plumb-lab solve` writes columns, and as records of matches do.
    expect(parseColumns("aij", on("10x10"))).toEqual([0, 8, 9]);
    expect(parseColumns("19j", on("10x10"))).toEqual([0, 8, 9]);
    expect(() => parseColumns("ak", on("10x10"))).toThrow("a letter from a to j, or a digit from 1 to 9.");
    expect(toColumns([0, 8, 9], Board.of(10, 10))).toBe("aij");
    for (const word of ["10", "j", "J1", "P@j1"]) expect(parseMove(word, on("10x10"), "x")).toBe(9);
    expect(() => parseMove("P@j11", on("10x10"), "x")).toThrow("this is no move");
  });

  it("are named by what is pasted, or are the one in use", () => {
    const nine = Board.of(9, 7);
    expect(parseAnything("99", nine).start.board).toBe(nine);
    expect(parseAnything("8x7 88", nine).start.board.name).toBe("8x7");
    expect(digitsOf(parseAnything("8x7:88"))).toBe("88");
    expect(parseAnything("8 x 7").moves).toEqual([]);
    expect(() => parseAnything("8x3")).toThrow("at least 4 columns and 4 rows");
    const ten = Board.of(10, 10);
    for (const text of ["ajja", "1 10 10 1", "a1 j1 j2 a2", "P@a1 P@j1 P@j2 P@a2", "1. a1 j1 2. j2 a2"]) {
      expect(digitsOf(parseAnything(text, ten)), text).toBe("ajja");
    }
    expect(digitsOf(parseAnything("j1", ten))).toBe("j");
    expect(toPositionCommand(parseAnything("ajja", ten), 2)).toBe("position startpos moves a j");
  });

  it("follow from the rows of a FEN", () => {
    // The lines of the engine after `position startpos moves P@e1 P@e2` on 5x4 and `a j` on 10x10.
    expect(toFen(at("55", on("5x4")))).toBe("5/5/4p/4P[PPPPPPPPPppppppppp] w - - 0 2");
    const five = on("5x5");
    expect(toFen(five)).toBe(`5/5/5/5/5[${"P".repeat(13)}${"p".repeat(12)}] w - - 0 1`);
    for (const text of [
      "4/4/4/4 w",
      "8/8/8/8/8/3p4/3P4 w",
      "16/16/16/16",
      "P9/10/10/10".split("/").reverse().join("/"),
    ]) {
      const rows = text.split(" ")[0]!;
      expect(toRows(parseFen(text)), text).toBe(rows);
      expect(parseFen(toFen(parseFen(text))).cells).toEqual(parseFen(text).cells);
    }
    expect(parseFen("16/16/16/16").board.name).toBe("16x4");
    expect(() => parseFen("8/8/8")).toThrow("FEN: A board of 8x3: there must be at least 4 columns and 4 rows.");
    expect(() => parseFen("9/9/9/9/9/9/9/9/9/9/9/9/9/9")).toThrow("with 9 columns there can be 13 rows at most");
  });

  it("come back from random games in each notation", () => {
    let seed = 7;
    for (const size of ["4x4", "5x4", "8x7", "9x7", "10x10", "25x4", "4x31"]) {
      const start = on(size);
      const moves: number[] = [];
      let position = start;
      while (!position.isOver) {
        seed = (seed * 48271) % 2147483647;
        const columns = position.legalColumns;
        moves.push(columns[seed % columns.length] ?? 0);
        position = position.play(moves.at(-1) ?? 0);
      }
      const line: Line = { start, moves };
      const target = parseLink(toLink(line, 3));
      expect(target, size).toEqual({ line, ply: 3 });
      expect(parsePgn(toPgn(line, ["A", "B"], "2026.01.31"))[0]?.line, size).toEqual(line);
      expect(parseFen(toFen(position)).cells, size).toEqual(position.cells);
      expect(parseAnything(digitsOf(line), start.board), size).toEqual(line);
    }
  });
});

describe("notation", () => {
  it("reads every kind of move", () => {
    for (const word of ["4", "d", "D", "d1", "@d1", "P@d1", "p@d1"]) expect(parseMove(word, EMPTY, "x")).toBe(3);
    for (const word of ["0", "8", "h", "d0", "e2e4", ""]) expect(() => parseMove(word, EMPTY, "x")).toThrow("x:");
    expect(() => parseMove("d2", EMPTY, "x")).toThrow("lands on d1");
  });

  it("numbers moves", () => expect(toMoveText({ start: EMPTY, moves: parseColumns("445") })).toBe("1. d1 2. d2 3. e1"));

  it("reads what is pasted", () => {
    for (const text of [
      "4455",
      "4 4 5 5",
      "d1 d2 e1 e2",
      "startpos moves d1 d2 e1 e2",
      "1. d1 d2 2. e1 e2",
      "P@d1,P@d2,P@e1,P@e2",
    ]) {
      expect(digitsOf(parseAnything(text)), text).toBe("4455");
    }
    expect(digitsOf(parseAnything("7/7/7/7/7/3P3 b moves 4 5"))).toBe("45");
  });

  it("gives the engine the same line", () => {
    expect(toPositionCommand(parseAnything("4455"), 2)).toBe("position startpos moves d d");
    expect(toPositionCommand(parseAnything("4455"), 0)).toBe("position startpos");
    expect(toPositionCommand(parseAnything("7/7/7/7/7/3P3 b moves 4 5"), 2)).toMatch(
      /^position fen 7\/.*\] b - - 0 1 moves d e$/,
    );
  });
});

describe("FEN", () => {
  it("is written as the engine writes it", () => {
    expect(toFen(EMPTY)).toBe("7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1");
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
      let position = EMPTY;
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
    for (const text of ["", "4455", "8x7", "8x7:88"]) {
      const line = parseBody(text);
      expect(parseLink(toPlayLink(line)), text).toEqual({ view: "play", line });
    }
    expect(parseLink("")).toBeNull();
    expect(() => parseLink("#%E0%A4%A")).toThrow("Link:");
    expect(() => parseLink("#fen=8/8")).toThrow("Link: FEN:");
  });

  it("holds the size of a board that is not the usual one", () => {
    for (const hash of ["#8x7", "#8x7:8811", "#9x7:99@1", "#10x10:aajj@0", "#fen=8/8/8/8/8/8/3P4&moves=88"]) {
      const target = parseLink(hash);
      if (target === null || "view" in target) throw new Error(hash);
      expect(toLink(target.line, target.ply)).toBe(hash);
    }
    expect(() => parseLink("#8x3:1")).toThrow("Link: A board of 8x3:");
    expect(() => parseLink("#x7:1")).toThrow("Link: “x7” is no size of a board like 8x7.");
  });
});

describe("PGN", () => {
  const LINE = { start: EMPTY, moves: parseColumns("1212121") };

  it("comes back", () => {
    const text = toPgn(LINE, ["A", "B"] as const, "2026.01.31");
    expect(text).toContain('[Result "1-0"]');
    const game = parsePgn(text)[0];
    expect(game?.line.moves).toEqual(LINE.moves);
    expect(game?.result).toBe("1-0");
    expect(game?.tags.White).toBe("A");
  });

  it("names the board in its variant", () => {
    const text = toPgn(parseAnything("8x7 88"), ["A", "B"], "2026.01.31");
    expect(text).toContain('[Variant "cfour8x7"]');
    expect(parsePgn(text)[0]?.line.start.board.name).toBe("8x7");
    expect(parsePgn("1. i1 *", Board.of(9, 7))[0]?.line.moves).toEqual([8]);
    expect(() => parsePgn('[Variant "cfour8x"]\n\n1. a1')).toThrow("PGN, game 1: the variant “cfour8x” names no size");
    expect(() => parsePgn('[Variant "cfour"]\n[FEN "8/8/8/8/8/8/8"]\n\n1. a1')).toThrow(
      "PGN, game 1: the FEN has the size 8x7 and the variant 7x6.",
    );
  });

  it("comes back from a position that was set up", () => {
    const line = parseAnything("7/7/7/7/7/3P3 b moves 4 5");
    const text = toPgn(line, ["A", "B"], "2026.01.31");
    expect(text).toContain("1... P@d2 2. P@e1 *");
    expect(toRows(positionsOf(parsePgn(text)[0]!.line).at(-1)!)).toBe("7/7/7/7/3p3/3PP2");
  });

  it("skips comments, variations, marks and numbers", () => {
    const game = parsePgn("1. d1! {good} $1 (1. e1 e2 (1. f1)) d2 ; the rest\n2.e1 e2?? 1/2-1/2")[0];
    expect(digitsOf(game!.line)).toBe("4455");
    expect(game?.comments).toEqual(["good", "", "", ""]);
    for (const text of ["1 d1 d2 2 e1 e2", "1 . d1 1 ... d2 2.e1 2... e2"]) {
      expect(digitsOf(parsePgn(text)[0]!.line), text).toBe("4455");
    }
  });

  it("names the game and the move", () => {
    expect(() => parsePgn("1. d1 *\n\n1. d1 d3 *")).toThrow(
      "PGN, game 2, move 2, “d3”: a stone in this column lands on d2.",
    );
    for (const [text, place] of [
      ["1.4 4 2.5 5", "move 2, “4”"],
      ["1. 4 4", "move 1, “4”"],
      ["1. d1 d2 3 e1", "move 3, “3”"],
    ] as const) {
      expect(() => parsePgn(text), text).toThrow(`PGN, game 1, ${place}: digits alone are numbers of moves here;`);
    }
    expect(() => parsePgn("")).toThrow("there is no game");
    expect(() => parsePgn('[FEN "8/8"]\n1. d1')).toThrow("PGN, game 1: FEN:");
  });
});
