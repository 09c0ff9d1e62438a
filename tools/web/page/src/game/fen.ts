/** FEN of the variant `cfour`, as Fairy-Stockfish writes it and as the engine reads it. */

import { cellOf, faultOf, HEIGHT, type Player, Position, WIDTH } from "./board";
import { InputError, quote } from "./fault";

const PIECES: Record<string, Player> = { P: 0, X: 0, x: 0, r: 0, R: 0, p: 1, O: 1, o: 1, y: 1, Y: 1 };
const SIDES: Record<string, Player> = { w: 0, r: 0, b: 1, y: 1 };

/** Whether a text looks as if it was meant as a FEN. */
export const isFen = (text: string): boolean => (text.match(/\//g) ?? []).length >= 2 || /^fen\s/i.test(text);

export function parseFen(text: string): Position {
  const words = text
    .trim()
    .replace(/^(?:position\s+)?fen\s+/i, "")
    .split(/\s+/);
  const rows = (words[0] ?? "").replace(/\[[^\]]*\]$/, "").split("/");
  if (rows.length !== HEIGHT) {
    throw new InputError(`FEN: there must be ${HEIGHT} rows with “/” between them, and there are ${rows.length}.`);
  }
  const cells = Array<Player | null>(WIDTH * HEIGHT).fill(null);
  rows.forEach((row, index) => readRow(row, index, cells));
  const fault = faultOf(cells);
  if (fault !== null) throw new InputError(`FEN: ${fault}.`);
  const position = new Position(cells);
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

function readRow(row: string, index: number, cells: (Player | null)[]): void {
  const where = `FEN, row ${index + 1} from the top, ${quote(row)}`;
  let column = 0;
  for (const sign of row) {
    const piece = PIECES[sign];
    if (piece !== undefined) {
      if (column < WIDTH) cells[cellOf(column, HEIGHT - 1 - index)] = piece;
      column += 1;
    } else if (/[1-9]/.test(sign)) {
      column += Number(sign);
    } else {
      throw new InputError(`${where}: ${quote(sign)} is neither a stone (P, p, X, O) nor a number of empty cells.`);
    }
  }
  if (column !== WIDTH) throw new InputError(`${where}: it has ${column} cells and must have ${WIDTH}.`);
}

/** The first field of a FEN, enough to know the position by. */
export function toRows(position: Position): string {
  const rows: string[] = [];
  for (let row = HEIGHT - 1; row >= 0; row--) {
    let text = "";
    let gap = 0;
    for (let column = 0; column < WIDTH; column++) {
      const player = position.cells[cellOf(column, row)] ?? null;
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
  const each = (WIDTH * HEIGHT) / 2;
  const second = Math.floor(position.stones / 2);
  const pocket = "P".repeat(each - (position.stones - second)) + "p".repeat(each - second);
  return `${toRows(position)}[${pocket}] ${position.turn === 0 ? "w" : "b"} - - 0 ${second + 1}`;
}
