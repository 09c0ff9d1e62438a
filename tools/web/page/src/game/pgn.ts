/**
 * PGN, read and written: games of the variant `cfour` as `plumb-lab` and cutechess write them. On another board than 7x6
 * its size is part of the name, `cfour8x7`.
 */

import { Board } from "./board";
import { InputError, quote } from "./fault";
import { parseFen, toFen } from "./fen";
import { parseMove } from "./notation";
import { type Line, Position, positionsOf } from "./position";

const VARIANT = "cfour";

/** A game of a PGN. */
export interface PgnGame {
  readonly tags: Readonly<Record<string, string>>;
  readonly line: Line;
  /** The comment behind each move; empty where there is none. */
  readonly comments: readonly string[];
  readonly result: string;
}

const RESULTS = new Set(["1-0", "0-1", "1/2-1/2", "*"]);

/**
 * All games of a text. A game that names neither variant nor FEN is on the board that is given. Fails with a sentence that
 * names the game and the move.
 */
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

  /** The next game; nothing at the end of the text. */
  game(number: number): PgnGame | null {
    const tags = this.#tags(number);
    const start = this.#start(tags, number);
    let position = start;
    const moves: number[] = [];
    const comments: string[] = [];
    let result: string | null = null;
    let isNumbered = false;
    while (result === null) {
      this.#skipBlanks();
      const sign = this.text[this.#at];
      if (sign === undefined || sign === "[") break;
      if (sign === "{") {
        const comment = this.#until("}", `PGN, game ${number}: a comment that begins with “{” does not end.`);
        if (moves.length > 0) comments[moves.length - 1] = `${comments[moves.length - 1] ?? ""} ${comment}`.trim();
      } else if (sign === ";") {
        this.#line();
      } else if (sign === "(") {
        this.#variation(number);
      } else {
        const word = this.#word();
        const where = `PGN, game ${number}, move ${moves.length + 1}, ${quote(word)}`;
        if (RESULTS.has(word)) {
          result = word;
        } else if (/^\d+\.*$/.test(word)) {
          // Numbers have a dot, perhaps behind blanks, or stand where one is due: before a move of the first player.
          const isDue = !isNumbered && Number(word) === position.stones / 2 + 1;
          if (!isDue && !/^\d+\s*\./.test(this.text.slice(this.#at - word.length))) {
            throw new InputError(`${where}: digits alone are numbers of moves here; moves are like d or P@d1.`);
          }
          isNumbered = true;
        } else if (!/^(\.+|\$\d+)$/.test(word)) {
          const move = word.replace(/^\d+\.+/, "").replace(/[!?]+$/, "");
          const column = parseMove(move, position, where);
          position = position.play(column);
          moves.push(column);
          comments.push("");
          isNumbered = false;
        }
      }
    }
    if (result === null && moves.length === 0 && Object.keys(tags).length === 0) return null;
    return { tags, line: { start, moves }, comments, result: result ?? tags.Result ?? "*" };
  }

  #start(tags: Readonly<Record<string, string>>, number: number): Position {
    try {
      const board = boardOfVariant(tags.Variant ?? "");
      if (tags.FEN === undefined) return Position.empty(board ?? this.board);
      const start = parseFen(tags.FEN);
      if (board !== null && start.board !== board) {
        throw new InputError(`the FEN has the size ${start.board.name} and the variant ${board.name}.`);
      }
      return start;
    } catch (error) {
      throw error instanceof InputError ? new InputError(`PGN, game ${number}: ${error.message}`) : error;
    }
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

  #variation(number: number): void {
    let depth = 0;
    for (; this.#at < this.text.length; this.#at++) {
      const sign = this.text[this.#at];
      if (sign === "(") depth += 1;
      if (sign === ")") depth -= 1;
      if (depth === 0) {
        this.#at += 1;
        return;
      }
    }
    throw new InputError(`PGN, game ${number}: a variation that begins with “(” does not end.`);
  }

  #word(): string {
    const rest = /^[^\s{}();[\]]+/.exec(this.text.slice(this.#at, this.#at + 80))?.[0];
    if (rest === undefined)
      throw new InputError(`PGN: ${quote(this.text.slice(this.#at, this.#at + 8))} is out of place.`);
    this.#at += rest.length;
    return rest;
  }
}

/** The board of a variant such as `cfour8x7`; nothing if the name is another one. */
function boardOfVariant(name: string): Board | null {
  const match = /^cfour(\d.*)?$/i.exec(name);
  if (match === null) return null;
  const board = match[1] === undefined ? Board.STANDARD : Board.parse(match[1]);
  if (board === null) throw new InputError(`the variant ${quote(name)} names no size like cfour8x7.`);
  return board;
}

/** A game as PGN that `parsePgn`, cutechess and the engine's tools read. */
export function toPgn(line: Line, names: readonly [string, string], date: string): string {
  const { board } = line.start;
  const positions = positionsOf(line);
  const last = positions.at(-1) ?? line.start;
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
    ...(line.start.stones > 0
      ? [
          ["SetUp", "1"],
          ["FEN", toFen(line.start)],
        ]
      : []),
    ["PlyCount", String(line.moves.length)],
  ];
  const words = line.moves.map((column, index) => {
    const before = positions[index] ?? line.start;
    const number = `${Math.floor(before.stones / 2) + 1}.`;
    const move = `P@${board.cellName(before.landing(column))}`;
    if (before.turn === 0) return `${number} ${move}`;
    return index === 0 ? `${number}.. ${move}` : move;
  });
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${wrap([...words, result])}\n`;
}

function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + 1 + word.length > 80) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
