/** Scores of the columns of a position, from the engine's lines. */

import type { Position } from "../game/position";
import { before, combine, compareScores, exactly, isExact, lossIn, type Score, UNKNOWN } from "../game/score";
import type { Info } from "../engine/info";

export interface ColumnAnalysis {
  readonly score: Score;
  readonly line: readonly number[];
}

export type Columns = readonly (ColumnAnalysis | null)[];

export function emptyColumns(position: Position): Columns {
  return position.heights.map((_, column) => {
    if (!position.canPlay(column)) return null;
    const after = position.play(column);
    const score = after.isOver ? exactly(before(endOf(after))) : UNKNOWN;
    return { score, line: [column] };
  });
}

/** The value of a finished game for the player whose turn it would be. */
export const endOf = (position: Position): number => (position.isWon ? lossIn(0) : 0);

export function withInfo(columns: Columns, info: Info): Columns {
  const column = info.line[0];
  const old = column === undefined ? null : columns[column];
  if (column === undefined || !old) return columns;
  const score = combine(old.score, info.score);
  // Keep a line to the end until a line of equal length arrives.
  const line = isExact(old.score) && info.line.length < old.line.length ? old.line : info.line;
  return columns.map((other, index) => (index === column ? { score, line } : other));
}

export const isSolved = (columns: Columns): boolean =>
  columns.every((column) => column === null || isExact(column.score));

export function rankColumns(columns: Columns): number[] {
  const middle = (columns.length - 1) / 2;
  return columns
    .flatMap((analysis, column) => (analysis === null ? [] : [{ analysis, column }]))
    .sort(
      (a, b) =>
        compareScores(a.analysis.score, b.analysis.score) || Math.abs(a.column - middle) - Math.abs(b.column - middle),
    )
    .map(({ column }) => column);
}

/** The score of the best column, as far as known. */
export function scoreOf(columns: Columns): Score {
  const scores = columns.flatMap((column) => (column === null ? [] : [column.score]));
  if (scores.length === 0) return UNKNOWN;
  const best = [...scores].sort(compareScores)[0] ?? UNKNOWN;
  return {
    lower: Math.max(...scores.map((score) => score.lower)),
    upper: Math.max(...scores.map((score) => score.upper)),
    estimate: best.estimate,
  };
}
