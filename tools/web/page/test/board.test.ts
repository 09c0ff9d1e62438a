import { describe, expect, it } from "vitest";
import { Board } from "../src/game/board";
import { toSvg, inWords } from "../src/game/draw";
import { toFen, toPositionCommand, toRows } from "../src/game/fen";
import { parseBody, parseLink, toLink, toPlayLink } from "../src/game/link";
import { geometryOf } from "../src/game/geometry";
import { toColumns } from "../src/game/notation";
import { movesOfAddress, parsePlace } from "../src/game/paste";
import { parsePgn, toPgn } from "../src/game/pgn";
import { faultOf, type Line, Position, positionsOf } from "../src/game/position";
import { readLine } from "../src/game/reader";
import { lineThrough, listOf, promote, treeAfter, withAfter, withPath } from "../src/game/tree";

const EMPTY = Position.empty();
const on = (size: string): Position => Position.empty(Board.parse(size)!);
const at = (columns: string, start = EMPTY): Position => positionsOf(readLine(columns, start.board)).at(-1)!;
const written = ({ start, moves }: Line): string => toPgn(start, withPath([], moves), ["A", "B"], "2026.01.31");
function pasted(text: string, board = Board.STANDARD): Line {
  const found = parsePlace(text, board);
  return "line" in found ? found.line : found[0]!.line;
}
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
    // 4x4 has ten lines, two of them diagonal.
    expect(on("4x4").board.lines).toHaveLength(10);
    const across = at("5253545", on("5x4"));
    expect(across.winner).toBe(0);
    expect(at("vawaxay", on("25x4")).winningCells).toHaveLength(4);
    // a4, b1, b2, b3 are successive cells, but not a line.
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
    expect(readLine("9", Board.of(9, 7)).moves).toEqual([8]);
    expect(() => readLine("8", Board.of(5, 4))).toThrow("“8”: there is no column 8 (columns 1 to 5).");
    for (const text of ["aij", "1 9 10", "P@a1 P@i1 P@j1"]) {
      expect(readLine(text, Board.of(10, 10)).moves, text).toEqual([0, 8, 9]);
    }
    expect(toColumns([0, 8, 9], Board.of(10, 10))).toBe("aij");
  });

  it("are named by what is pasted, or are the one in use", () => {
    const nine = Board.of(9, 7);
    expect(pasted("99", nine).start.board).toBe(nine);
    expect(pasted("8x7 88", nine).start.board.name).toBe("8x7");
    expect(digitsOf(pasted("8x7:88"))).toBe("88");
    expect(pasted("8 x 7").moves).toEqual([]);
    expect(() => pasted("8x3")).toThrow("at least 4 columns and 4 rows");
    const ten = Board.of(10, 10);
    for (const text of ["ajja", "1 10 10 1", "a1 j1 j2 a2", "P@a1 P@j1 P@j2 P@a2", "1. a1 j1 2. j2 a2"]) {
      expect(digitsOf(pasted(text, ten)), text).toBe("ajja");
    }
    expect(digitsOf(pasted("j1", ten))).toBe("j");
    expect(toPositionCommand(pasted("ajja", ten), 2)).toBe("position startpos moves a j");
  });

  it("follow from the rows of a FEN", () => {
    // Lines of the engine for `P@e1 P@e2` on 5x4 and `a j` on 10x10.
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
      expect(toRows(readLine(text).start), text).toBe(rows);
      expect(readLine(toFen(readLine(text).start)).start).toEqual(readLine(text).start);
    }
    expect(readLine("16/16/16/16").start.board.name).toBe("16x4");
    expect(() => readLine("8/8/8").start).toThrow("“8x3”: a board has at least 4 columns and 4 rows.");
    expect(() => readLine("9/9/9/9/9/9/9/9/9/9/9/9/9/9").start).toThrow("a board with 9 columns has at most 13 rows");
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
      expect(parsePgn(written(line))[0]?.line, size).toEqual(line);
      expect(readLine(toFen(position)).start.cells, size).toEqual(position.cells);
      expect(pasted(digitsOf(line), start.board), size).toEqual(line);
    }
  });
});

describe("reader", () => {
  it("reads every form that the engine reads", () => {
    for (const text of [
      "4455",
      "4 4 5 5",
      "44 55",
      "ddee",
      "d1 d2 e1 e2",
      "startpos moves d1 d2 e1 e2",
      "1. d1 d2 2. e1 e2",
      "P@d1,P@d2,P@e1,P@e2",
      "https://connect4.gamesolver.org/?pos=4455",
      "https://example.org/solve/connect4?position=4455&level=10",
    ]) {
      expect(digitsOf(pasted(text)), text).toBe("4455");
    }
    expect(digitsOf(pasted("7/7/7/7/7/3P3 b moves 4 5"))).toBe("45");
    const cells = `${". ".repeat(28)} . . . o . . . . . . x . . .`;
    expect(toRows(pasted(cells).start)).toBe("7/7/7/7/3p3/3P3");
    expect(movesOfAddress("?pos=")).toBe("");
    expect(movesOfAddress("?other=1")).toBeUndefined();
  });

  it("says what is wrong with a word", () => {
    for (const [text, sentence] of [
      ["hello", '“hello”: not a position; expected moves such as ddee, "d1 d2" or "4 4", or a FEN.'],
      ["4444444", "“4”: column 4 is full."],
      ["d1 d3", "“d3”: the stone lands on rank 2, not 3."],
    ] as const) {
      expect(() => readLine(text), text).toThrow(sentence);
    }
  });

  it("gives the engine the same line", () => {
    expect(toPositionCommand(pasted("4455"), 2)).toBe("position startpos moves d d");
    expect(toPositionCommand(pasted("4455"), 0)).toBe("position startpos");
    expect(toPositionCommand(pasted("7/7/7/7/7/3P3 b moves 4 5"), 2)).toMatch(
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
      expect(toRows(readLine(text).start), text).toBe("7/7/7/7/3p3/3P3");
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
        expect(readLine(toFen(position)).start.cells).toEqual(position.cells);
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
    expect(() => parseLink("#fen=8/8")).toThrow("Link: “8x2”: a board has");
  });

  it("holds the size of a board that is not the usual one", () => {
    for (const hash of ["#8x7", "#8x7:8811", "#9x7:99@1", "#10x10:aajj@0", "#fen=8/8/8/8/8/8/3P4&moves=88"]) {
      const target = parseLink(hash);
      if (target === null || "view" in target) throw new Error(hash);
      expect(toLink(target.line, target.ply)).toBe(hash);
    }
    expect(() => parseLink("#8x3:1")).toThrow("Link: A board of 8x3:");
    expect(() => parseLink("#xyz")).toThrow("Link: “xyz”: not a position; expected moves such as");
  });
});

describe("PGN", () => {
  const LINE = { start: EMPTY, moves: readLine("1212121").moves };

  it("comes back", () => {
    const text = written(LINE);
    expect(text).toContain('[Result "1-0"]');
    const game = parsePgn(text)[0];
    expect(game?.line.moves).toEqual(LINE.moves);
    expect(game?.result).toBe("1-0");
    expect(game?.tags.White).toBe("A");
  });

  it("names the board in its variant", () => {
    const text = written(pasted("8x7 88"));
    expect(text).toContain('[Variant "cfour8x7"]');
    expect(parsePgn(text)[0]?.line.start.board.name).toBe("8x7");
    expect(parsePgn("1. i1 *", Board.of(9, 7))[0]?.line.moves).toEqual([8]);
    expect(() => parsePgn('[Variant "cfour8x"]\n\n1. a1')).toThrow("PGN, game 1: the variant “cfour8x” names no size");
    expect(() => parsePgn('[Variant "cfour"]\n[FEN "8/8/8/8/8/8/8"]\n\n1. a1')).toThrow(
      "PGN, game 1: the FEN has the size 8x7 and the variant 7x6.",
    );
  });

  it("comes back from a position that was set up", () => {
    const line = pasted("7/7/7/7/7/3P3 b moves 4 5");
    const text = written(line);
    expect(text).toContain("1... P@d2 2. P@e1 *");
    expect(toRows(positionsOf(parsePgn(text)[0]!.line).at(-1)!)).toBe("7/7/7/7/3p3/3PP2");
  });

  it("skips comments, marks and numbers", () => {
    const game = parsePgn("1. d1! {good} $1 d2 ; the rest\n2.e1 e2?? 1/2-1/2")[0];
    expect(digitsOf(game!.line)).toBe("4455");
    expect(game?.comments).toEqual(["good", "", "", ""]);
    for (const text of ["1 d1 d2 2 e1 e2", "1 . d1 1 ... d2 2.e1 2... e2"]) {
      expect(digitsOf(parsePgn(text)[0]!.line), text).toBe("4455");
    }
  });

  it("keeps variations", () => {
    const game = parsePgn("1. d1 (1. e1 e2 (1... f1 2. g1) 2. e3) d2 (1... a1) 2. e1 *")[0]!;
    const paths = (tree: typeof game.tree, start = EMPTY): string[] =>
      listOf(start, tree).map((part) =>
        "entries" in part
          ? `${part.depth}:${toColumns(part.entries.at(-1)!.path, start.board)}`
          : toColumns(part.path, start.board),
      );
    expect(paths(game.tree)).toEqual(["4", "1:555", "2:567", "44", "1:41", "445"]);
    const again = parsePgn(toPgn(EMPTY, game.tree, ["A", "B"], "2026.01.31"))[0]!;
    expect(again.tree).toEqual(game.tree);
    const promoted = promote(game.tree, [4, 5, 6]);
    expect(lineThrough(promoted, [])).toEqual([4, 5, 6]);
    expect(treeAfter(promoted, [3, 3, 4])).toEqual([]);
    expect(
      treeAfter(
        withAfter(game.tree, [4], () => []),
        [4],
      ),
    ).toEqual([]);
    const setUp = pasted("7/7/7/7/7/3P3 b moves 4 5").start;
    const tree = withPath(withPath([], [3, 4]), [0]);
    expect(parsePgn(toPgn(setUp, tree, ["A", "B"], "2026.01.31"))[0]!.tree).toEqual(tree);
    for (const text of ["1. d1 (1. e1", "1. d1 ) d2"]) expect(() => parsePgn(text), text).toThrow("PGN, game 1: ");
    expect(() => parsePgn("1. d1 (1. e1 e5) *")).toThrow("PGN, game 1, move 2, “e5”: the stone lands on rank 2");
  });

  it("names the game and the move", () => {
    expect(() => parsePgn("1. d1 *\n\n1. d1 d3 *")).toThrow(
      "PGN, game 2, move 2, “d3”: the stone lands on rank 2, not 3.",
    );
    expect(() => parsePgn("1. e4 e5 2. Nf3 Nc6 *")).toThrow("PGN, game 1: this is a game of chess.");
    for (const [text, place] of [
      ["1.4 4 2.5 5", "move 2, “4”"],
      ["1. 4 4", "move 1, “4”"],
      ["1. d1 d2 3 e1", "move 3, “3”"],
    ] as const) {
      expect(() => parsePgn(text), text).toThrow(`PGN, game 1, ${place}: digits alone are numbers of moves here;`);
    }
    expect(() => parsePgn("")).toThrow("there is no game");
    expect(() => parsePgn('[FEN "8/8"]\n1. d1')).toThrow("PGN, game 1: “8x2”: a board has");
  });
});
