/** Moves as text: `4455`, `d1 d2`, `P@d1`. */

import { type Board, letterOf } from "./board";
import { InputError, quote } from "./fault";
import { type Line, Position, positionsOf } from "./position";

/** Plays a column, or names what is wrong with the move that stands at `where`. */
export function playAt(position: Position, column: number, where: string): Position {
  if (position.isOver) throw new InputError(`${where}: the game is over before it.`);
  if (position.isFull(column)) throw new InputError(`${where}: column ${column + 1} is full.`);
  return position.play(column);
}

/** The column of one sign: digits count from `1` on the left, and on boards of more than nine columns letters from `a`. */
function columnOfSign(sign: string, board: Board): number | null {
  let column = -1;
  if (/^[1-9]$/.test(sign)) column = Number(sign) - 1;
  else if (!board.hasDigits && /^[a-z]$/.test(sign)) column = sign.charCodeAt(0) - 97;
  return column >= 0 && column < board.width ? column : null;
}

/**
 * Columns from text with one sign for each: digits, and on boards of more than nine columns letters. `plumb-lab solve`
 * writes letters only there, records of matches letters from the tenth column on.
 */
export function parseColumns(text: string, start: Position = Position.empty()): number[] {
  const { board } = start;
  const signs = text.replace(/[\s,.]/g, "");
  let position = start;
  return [...signs].map((sign, index) => {
    const where = `Move ${index + 1}, ${quote(sign)}`;
    const column = columnOfSign(sign, board);
    if (column === null) {
      const kinds = board.hasDigits
        ? `a digit from 1 to ${board.width}`
        : `a letter from a to ${letterOf(board.width - 1)}, or a digit from 1 to 9`;
      throw new InputError(`${where}: a move is ${kinds}.`);
    }
    position = playAt(position, column, where);
    return column;
  });
}

/** The column of a word as people and engines write it: `P@d1`, `d1`, `d`, `4`; nothing if it is none. */
export function columnOfWord(word: string, board: Board): number | null {
  const match = /^(?:[Pp]?@)?(?:([A-Za-z])(\d{1,2})?|(\d{1,2}))$/.exec(word);
  if (match === null) return null;
  const [, letter, rank, number] = match;
  const column = letter === undefined ? Number(number) - 1 : letter.toLowerCase().charCodeAt(0) - 97;
  const hasRank = rank === undefined || (Number(rank) >= 1 && Number(rank) <= board.height);
  return column >= 0 && column < board.width && hasRank ? column : null;
}

/** The move of one word, or what is wrong with it where it stands. */
export function parseMove(word: string, position: Position, where: string): number {
  const { board } = position;
  const column = columnOfWord(word, board);
  if (column === null) throw new InputError(`${where}: this is no move; moves are like 4, d or P@d1.`);
  playAt(position, column, where);
  const landing = board.cellName(position.landing(column));
  const named = /[A-Za-z]\d+$/.exec(word)?.[0].toLowerCase();
  if (named !== undefined && named !== landing) {
    throw new InputError(`${where}: a stone in this column lands on ${landing}.`);
  }
  return column;
}

/** Columns in one word: digits, or letters on boards of more than nine columns. */
export const toColumns = (moves: readonly number[], board: Board): string =>
  moves.map((column) => (board.hasDigits ? String(column + 1) : letterOf(column))).join("");

/** Moves with their numbers, as everywhere in the page one for each stone: `1. d1 2. d2 3. d3`. */
export function toMoveText(line: Line): string {
  const positions = positionsOf(line);
  const words = line.moves.map((column, index) => {
    const before = positions[index] ?? line.start;
    const name = before.board.cellName(before.landing(column));
    return `${before.stones + 1}. ${name}`;
  });
  return words.join(" ");
}
