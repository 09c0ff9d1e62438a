import { type Board, letterOf } from "./board";

/** Digits, or letters on more than nine columns. */
export const toColumns = (moves: readonly number[], board: Board): string =>
  moves.map((column) => (board.hasDigits ? String(column + 1) : letterOf(column))).join("");
