/** FEN of the variant `cfour` on a board of any size, as Fairy-Stockfish writes it and as the engine reads it. */

import { Board, type Player } from "./board";
import { InputError, quote } from "./fault";
import { faultOf, Position } from "./position";

const PIECES: Record<string, Player> = { P: 0, X: 0, x: 0, r: 0, R: 0, p: 1, O: 1, o: 1, y: 1, Y: 1 };
const SIDES: Record<string, Player> = { w: 0, r: 0, b: 1, y: 1 };

/** Whether a text looks as if it was meant as a FEN. */
export const isFen = (text: string): boolean => (text.match(/\//g) ?? []).length >= 2 || /^fen\s/i.test(text);

/** A row from the left: the owners of its cells; or the sign in it that has no meaning. */
type Row = { readonly cells: readonly (Player | null)[] } | { readonly stranger: string };

export function parseFen(text: string): Position {
  const words = text
    .trim()
    .replace(/^(?:position\s+)?fen\s+/i, "")
    .split(/\s+/);
  const rows = (words[0] ?? "").replace(/\[[^\]]*\]$/, "").split("/");
  const { board, cells } = readRows(rows);
  const fault = faultOf(board, cells);
  if (fault !== null) throw new InputError(`FEN: ${fault}.`);
  const position = new Position(board, cells);
  const side = words[1];
  if (side !== undefined) {
    const turn = SIDES[side];
    if (turn === undefined) throw new InputError(`FEN: ${quote(side)} is no side to move; it is w or b.`);
    if (turn !== position.turn) {
      const expected = position.turn === 0 ? "w" : "b";
      throw new InputError(
        `FEN: ${quote(side)} to move does not fit ${position.stones} stones; it must be ${expected}.`,
      );
    }
  }
  return position;
}

/**
 * The board, whose size the rows tell, and its cells. On boards of more than nine columns the digits of a gap are one
 * number, on smaller ones each digit is a gap; where both fit, the wide board is meant.
 */
function readRows(rows: readonly string[]): { board: Board; cells: readonly (Player | null)[] } {
  const wide = rows.map((row) => readRow(row, true));
  const width = widthOf(wide);
  if (width !== null && width > 9 && isBoard(width, rows.length)) {
    return gather(Board.of(width, rows.length), wide);
  }
  const narrow = rows.map((row) => readRow(row, false));
  narrow.forEach((row, index) => {
    const where = `FEN, row ${index + 1} from the top, ${quote(rows[index] ?? "")}`;
    if ("stranger" in row) {
      throw new InputError(
        `${where}: ${quote(row.stranger)} is neither a stone (P, p, X, O) nor a number of empty cells.`,
      );
    }
    const first = narrow[0];
    if (first !== undefined && "cells" in first && first.cells.length !== row.cells.length) {
      throw new InputError(`${where}: it has ${row.cells.length} cells and must have ${first.cells.length}.`);
    }
  });
  try {
    return gather(Board.of(widthOf(narrow) ?? 0, rows.length), narrow);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`FEN: ${error.message}`) : error;
  }
}

function isBoard(width: number, height: number): boolean {
  try {
    Board.of(width, height);
    return true;
  } catch {
    return false;
  }
}

function readRow(row: string, isWide: boolean): Row {
  const cells: (Player | null)[] = [];
  for (const sign of row.match(isWide ? /\d+|\D/gu : /./gu) ?? []) {
    const piece = PIECES[sign];
    if (piece !== undefined) cells.push(piece);
    else if (/^[1-9]\d?$/.test(sign)) cells.push(...Array<null>(Number(sign)).fill(null));
    else return { stranger: sign };
  }
  return { cells };
}

/** The number of columns that all rows have; nothing if they differ. */
function widthOf(rows: readonly Row[]): number | null {
  const widths = rows.map((row) => ("cells" in row ? row.cells.length : -1));
  const [first = -1] = widths;
  return first >= 0 && widths.every((width) => width === first) ? first : null;
}

function gather(board: Board, rows: readonly Row[]): { board: Board; cells: readonly (Player | null)[] } {
  const cells = Array<Player | null>(board.cells).fill(null);
  rows.forEach((row, index) => {
    if (!("cells" in row)) return;
    row.cells.forEach((player, column) => (cells[board.cellOf(column, board.height - 1 - index)] = player));
  });
  return { board, cells };
}

/** The first field of a FEN, enough to know the position and its board by. */
export function toRows(position: Position): string {
  const { board } = position;
  const rows: string[] = [];
  for (let row = board.height - 1; row >= 0; row--) {
    let text = "";
    let gap = 0;
    for (const column of board.columns) {
      const player = position.cells[board.cellOf(column, row)] ?? null;
      if (player === null) {
        gap += 1;
        continue;
      }
      text += `${gap > 0 ? gap : ""}${player === 0 ? "P" : "p"}`;
      gap = 0;
    }
    rows.push(text + (gap > 0 ? String(gap) : ""));
  }
  return rows.join("/");
}

/** The full form, with the stones in hand. */
export function toFen(position: Position): string {
  const { cells } = position.board;
  const second = Math.floor(position.stones / 2);
  const first = position.stones - second;
  const pocket = "P".repeat(Math.ceil(cells / 2) - first) + "p".repeat(Math.floor(cells / 2) - second);
  return `${toRows(position)}[${pocket}] ${position.turn === 0 ? "w" : "b"} - - 0 ${second + 1}`;
}
