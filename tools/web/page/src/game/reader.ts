/** Reads games in any notation, with the engine. */

import { Board, type Player } from "./board";
import { InputError, quote } from "./fault";
import { emptyLine, type Line, Position } from "./position";

export type GameReader = (text: string, board: string) => string;

let readGame: GameReader = () => {
  throw new InputError("No game can be read here: the engine is missing.");
};

export function setReader(reader: GameReader): void {
  readGame = reader;
}

export class WordError extends InputError {
  constructor(
    readonly before: number,
    readonly word: string,
    readonly reason: string,
  ) {
    super(`${quote(word)}: ${reason}.`);
  }
}

/** Reads moves, columns, a FEN or cells. A size such as `8x7` before them replaces `board`. */
export function readLine(text: string, board: Board = Board.STANDARD): Line {
  const sized = /^(\d+\s*[x×]\s*\d+)(?:\s*:|\s|$)\s*/i.exec(text);
  const named = sized === null ? null : Board.parse(sized[1] ?? "");
  const size = named ?? board;
  let rest = named === null ? text : text.slice(sized?.[0].length ?? 0);
  if (size.hasDigits && /^[\d\s,]+$/.test(rest)) rest = rest.replace(/[\s,]/g, "");
  if (rest.trim() === "") return emptyLine(size);
  const [fen = "", letters = ""] = ask(rest, size).split("\n");
  return { start: positionOf(fen), moves: [...letters].map((letter) => letter.charCodeAt(0) - 97) };
}

function ask(text: string, board: Board): string {
  try {
    return readGame(text, board.name);
  } catch (error) {
    if (typeof error !== "string") throw error;
    const [before = "", word = "", reason = ""] = error.split("\n");
    throw new WordError(Number(before), word, reason);
  }
}

function positionOf(fen: string): Position {
  const rows = (fen.split("[")[0] ?? "").split("/").map(ownersOf);
  const board = Board.of(rows[0]?.length ?? 0, rows.length);
  const cells = Array.from(
    { length: board.cells },
    (_, cell) => rows[board.height - 1 - board.rowOf(cell)]?.[board.columnOf(cell)] ?? null,
  );
  return cells.every((owner) => owner === null) ? Position.empty(board) : new Position(board, cells);
}

function ownersOf(row: string): (Player | null)[] {
  return (row.match(/\d+|\D/g) ?? []).flatMap((sign) => {
    if (sign === "P") return [0 as const];
    return sign === "p" ? [1 as const] : Array<null>(Number(sign)).fill(null);
  });
}
