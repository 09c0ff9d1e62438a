/** PGN of the variant `cfour`, or `cfour8x7` on another board, as `plumb-lab` and cutechess write it. */

import { Board } from "./board";
import { at, InputError, quote } from "./fault";
import { toFen } from "./fen";
import { type Line, Position } from "./position";
import { readLine, WordError } from "./reader";
import { type Branch, lineThrough, type Tree, withPath } from "./tree";

const VARIANT = "cfour";

export interface PgnGame {
  readonly tags: Readonly<Record<string, string>>;
  readonly line: Line;
  readonly tree: Tree;
  /** The comment after each move of the main line, or empty. */
  readonly comments: readonly string[];
  readonly result: string;
}

const RESULTS = new Set(["1-0", "0-1", "1/2-1/2", "*"]);
const CHESS = /^(?:[KQRBN][a-h1-8x]*[a-h][1-8]|O-O(?:-O)?|[a-h]x[a-h][1-8]|[a-h][1-8][a-h][1-8])/;

/** Moves that the engine has not read yet. */
interface Moves {
  readonly words: string[];
  readonly comments: string[];
  /** Variations with the number of words before each. */
  readonly variations: { readonly before: number; readonly moves: Moves }[];
  result: string | null;
}

/** All games of a text. `board`: for games without variant and FEN. */
export function parsePgn(text: string, board: Board = Board.STANDARD): PgnGame[] {
  const games: PgnGame[] = [];
  const reader = new Reader(text, board);
  for (;;) {
    const game = reader.game(games.length + 1);
    if (game === null) break;
    games.push(game);
  }
  if (games.length === 0) throw new InputError("PGN: there is no game in it.");
  return games;
}

class Reader {
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly board: Board,
  ) {}

  game(number: number): PgnGame | null {
    const tags = this.#tags(number);
    const start = this.#start(tags, number);
    const moves = this.#moves(start.stones, number);
    if (moves.result === null && moves.words.length === 0 && Object.keys(tags).length === 0) return null;
    if (this.text[this.#at] === ")") throw new InputError(`PGN, game ${number}: “)” is out of place.`);
    const main = columnsOf(start, moves.words, number);
    const tree = treeOf(start, moves, [], withPath([], main), number);
    const comments = moves.words.map((_, index) => moves.comments[index] ?? "");
    return { tags, line: { start, moves: main }, tree, comments, result: moves.result ?? tags.Result ?? "*" };
  }

  /** Moves up to a result, the end of a variation, the next game or the end of the text. */
  #moves(stones: number, number: number): Moves {
    const moves: Moves = { words: [], comments: [], variations: [], result: null };
    const { words, comments } = moves;
    let isNumbered = false;
    while (moves.result === null) {
      this.#skipBlanks();
      const sign = this.text[this.#at];
      if (sign === undefined || sign === "[" || sign === ")") break;
      if (sign === "{") {
        const comment = this.#until("}", `PGN, game ${number}: a comment that begins with “{” does not end.`);
        if (words.length > 0) comments[words.length - 1] = `${comments[words.length - 1] ?? ""} ${comment}`.trim();
      } else if (sign === ";") {
        this.#line();
      } else if (sign === "(") {
        this.#at += 1;
        const before = Math.max(0, words.length - 1);
        moves.variations.push({ before, moves: this.#moves(stones + before, number) });
        if (this.text[this.#at] !== ")") {
          throw new InputError(`PGN, game ${number}: a variation that begins with “(” does not end.`);
        }
        this.#at += 1;
      } else {
        const word = this.#word();
        if (RESULTS.has(word)) {
          moves.result = word;
        } else if (/^\d+\.*$/.test(word)) {
          // A number has a dot, or precedes a move of the first player.
          const isDue = !isNumbered && Number(word) === (stones + words.length) / 2 + 1;
          if (!isDue && !/^\d+\s*\./.test(this.text.slice(this.#at - word.length))) {
            const where = `PGN, game ${number}, move ${words.length + 1}, ${quote(word)}`;
            throw new InputError(`${where}: digits alone are numbers of moves here; expected moves such as d or P@d1.`);
          }
          isNumbered = true;
        } else if (!/^(\.+|\$\d+)$/.test(word)) {
          words.push(word.replace(/^\d+\.+/, "").replace(/[!?]+$/, ""));
          isNumbered = false;
        }
      }
    }
    return moves;
  }

  #start(tags: Readonly<Record<string, string>>, number: number): Position {
    return at(`PGN, game ${number}`, () => {
      const board = boardOfVariant(tags.Variant ?? "");
      if (tags.FEN === undefined) return Position.empty(board ?? this.board);
      const { start } = readLine(tags.FEN);
      if (board !== null && start.board !== board) {
        throw new InputError(`the FEN has the size ${start.board.name} and the variant ${board.name}.`);
      }
      return start;
    });
  }

  #tags(number: number): Record<string, string> {
    const tags: Record<string, string> = {};
    for (;;) {
      this.#skipBlanks();
      if (this.text[this.#at] !== "[") return tags;
      const line = this.#line();
      const match = /^\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/.exec(line);
      if (match === null) throw new InputError(`PGN, game ${number}: ${quote(line)} is no tag like [Event "…"].`);
      tags[match[1] ?? ""] = (match[2] ?? "").replace(/\\(.)/g, "$1");
    }
  }

  #skipBlanks(): void {
    while (/\s/.test(this.text[this.#at] ?? "")) this.#at += 1;
    if (this.text[this.#at] === "%" && (this.#at === 0 || this.text[this.#at - 1] === "\n")) {
      this.#line();
      this.#skipBlanks();
    }
  }

  #line(): string {
    const end = this.text.indexOf("\n", this.#at);
    const line = this.text.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.text.length : end + 1;
    return line.trim();
  }

  #until(sign: string, fault: string): string {
    const end = this.text.indexOf(sign, this.#at);
    if (end < 0) throw new InputError(fault);
    const inside = this.text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inside.replace(/\s+/g, " ").trim();
  }

  #word(): string {
    const rest = /^[^\s{}();[\]]+/.exec(this.text.slice(this.#at, this.#at + 80))?.[0];
    if (rest === undefined)
      throw new InputError(`PGN: ${quote(this.text.slice(this.#at, this.#at + 8))} is out of place.`);
    this.#at += rest.length;
    return rest;
  }
}

/** The board of a variant such as `cfour8x7`. */
function boardOfVariant(name: string): Board | null {
  const match = /^cfour(\d.*)?$/i.exec(name);
  if (match === null) return null;
  const board = match[1] === undefined ? Board.STANDARD : Board.parse(match[1]);
  if (board === null) throw new InputError(`the variant ${quote(name)} names no size like cfour8x7.`);
  return board;
}

function columnsOf(start: Position, words: readonly string[], number: number): readonly number[] {
  const before = start.stones === 0 ? 0 : 2;
  try {
    const text = `${before === 0 ? "" : `${toFen(start).split(" ")[0]} moves `}${words.join(" ")}`;
    return words.length === 0 ? [] : readLine(text, start.board).moves;
  } catch (error) {
    if (words.some((word) => CHESS.test(word))) throw new InputError(`PGN, game ${number}: this is a game of chess.`);
    if (!(error instanceof WordError)) throw error;
    throw new InputError(`PGN, game ${number}, move ${error.before - before + 1}, ${error.message}`);
  }
}

/** The tree of a list of moves after the words of `before`. */
function treeOf(start: Position, moves: Moves, before: readonly string[], tree: Tree, number: number): Tree {
  let all = tree;
  for (const variation of moves.variations) {
    const path = [...before, ...moves.words.slice(0, variation.before)];
    all = withPath(all, columnsOf(start, [...path, ...variation.moves.words], number));
    all = treeOf(start, variation.moves, path, all, number);
  }
  return all;
}

/** A game with variations as PGN for `parsePgn`, cutechess and `plumb-lab`. */
export function toPgn(start: Position, tree: Tree, names: readonly [string, string], date: string): string {
  const { board } = start;
  const main = lineThrough(tree, []);
  const last = main.reduce((position, column) => position.play(column), start);
  const result = !last.isOver ? "*" : last.winner === null ? "1/2-1/2" : last.winner === 0 ? "1-0" : "0-1";
  const tags = [
    ["Event", "Plumb"],
    ["Site", "?"],
    ["Date", date],
    ["Round", "-"],
    ["White", names[0]],
    ["Black", names[1]],
    ["Result", result],
    ["Variant", board.isStandard ? VARIANT : VARIANT + board.name],
    ...(start.stones > 0
      ? [
          ["SetUp", "1"],
          ["FEN", toFen(start)],
        ]
      : []),
    ["PlyCount", String(main.length)],
  ];
  const words = [...wordsOf(start, tree, true), result];
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${words.join(" ").replace(/(.{1,80})( |$)/g, "$1\n")}`;
}

/** The moves of a tree. Variations follow the move that they replace. */
function wordsOf(start: Position, tree: Tree, isFirst: boolean): string[] {
  const words: string[] = [];
  let position = start;
  let isNumbered = isFirst;
  for (let next = tree; next.length > 0; next = next[0]?.next ?? []) {
    const [main, ...others] = next as [Branch, ...Branch[]];
    words.push(moveText(position, main.column, isNumbered));
    for (const other of others) {
      const variation = [
        moveText(position, other.column, true),
        ...wordsOf(position.play(other.column), other.next, false),
      ];
      words.push(...`(${variation.join("\n")})`.split("\n"));
    }
    isNumbered = others.length > 0;
    position = position.play(main.column);
  }
  return words;
}

function moveText(position: Position, column: number, isNumbered: boolean): string {
  const number = `${Math.floor(position.stones / 2) + 1}.`;
  const move = `P@${position.board.cellName(position.landing(column))}`;
  if (position.turn === 0) return `${number} ${move}`;
  return isNumbered ? `${number}.. ${move}` : move;
}
