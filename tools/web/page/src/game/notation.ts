import { type Board, letterOf } from "./board";

export const toColumns = (moves: readonly number[], board: Board): string =>
  moves.map((column) => (board.hasDigits ? String(column + 1) : letterOf(column))).join("");
