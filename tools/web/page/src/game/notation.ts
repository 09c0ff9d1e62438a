/** Moves as text: `4455`, `d1 d2`, `P@d1`. */

import { cellName, HEIGHT, type Line, Position, positionsOf, WIDTH } from "./board";
import { InputError, quote } from "./fault";

/** Plays a column, or names what is wrong with the move that stands at `where`. */
export function playAt(position: Position, column: number, where: string): Position {
  if (position.isOver) throw new InputError(`${where}: the game is over before it.`);
  if (position.height(column) >= HEIGHT) throw new InputError(`${where}: column ${column + 1} is full.`);
  return position.play(column);
}

/** Columns from digits, `1` on the left. */
export function parseDigits(text: string, start: Position = Position.EMPTY): number[] {
  const digits = text.replace(/[\s,.]/g, "");
  let position = start;
  return [...digits].map((digit, index) => {
    const where = `Move ${index + 1}, ${quote(digit)}`;
    if (!/^[1-7]$/.test(digit)) throw new InputError(`${where}: a move is a digit from 1 to ${WIDTH}.`);
    const column = Number(digit) - 1;
    position = playAt(position, column, where);
    return column;
  });
}

/** The move of one word: `P@d1`, `d1`, `d`, `4`. */
export function parseMove(word: string, position: Position, where: string): number {
  const match = /^(?:[Pp]?@)?(?:([A-Ga-g])([1-6])?|([1-7]))$/.exec(word);
  if (match === null) throw new InputError(`${where}: this is no move; moves are like 4, d or P@d1.`);
  const column = match[3] ? Number(match[3]) - 1 : (match[1] ?? "a").toLowerCase().charCodeAt(0) - 97;
  const after = playAt(position, column, where);
  const landing = cellName(position.landing(column));
  if (match[2] && Number(match[2]) !== after.height(column)) {
    throw new InputError(`${where}: a stone in this column lands on ${landing}.`);
  }
  return column;
}

export const toDigits = (moves: readonly number[]): string => moves.map((column) => column + 1).join("");

/** Moves with their numbers, as in a score sheet: `1. d1 d2 2. d3`. */
export function toMoveText(line: Line): string {
  const positions = positionsOf(line);
  const words = line.moves.map((column, index) => {
    const before = positions[index] ?? line.start;
    const name = cellName(before.landing(column));
    const number = Math.floor(before.stones / 2) + 1;
    if (before.turn === 0) return `${number}. ${name}`;
    return index === 0 ? `${number}... ${name}` : name;
  });
  return words.join(" ");
}
