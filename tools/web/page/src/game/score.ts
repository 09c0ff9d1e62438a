/** Scores, bounds and estimates: order and words. */

import { type Board } from "./board";

/** A proven result for the player to move. A win is 1000 minus the plies to the end, a loss the negative, a draw 0. */
export type Value = number;

const SCALE = 1000;
export const BEST: Value = SCALE;
export const WORST: Value = -SCALE;

export const winIn = (plies: number): Value => SCALE - plies;
export const lossIn = (plies: number): Value => plies - SCALE;
export const pliesOf = (value: Value): number => SCALE - Math.abs(value);

export interface Score {
  readonly lower: Value;
  readonly upper: Value;
  /** In hundredths, to order moves without a proof. */
  readonly estimate: number | null;
}

export const UNKNOWN: Score = { lower: WORST, upper: BEST, estimate: null };
export const exactly = (value: Value): Score => ({ lower: value, upper: value, estimate: null });
export const isExact = (score: Score): boolean => score.lower === score.upper;
export const valueOf = (score: Score): Value | null => (isExact(score) ? score.lower : null);

/** The intersection of both, or the later score if they contradict each other. */
export function combine(earlier: Score, later: Score): Score {
  const lower = Math.max(earlier.lower, later.lower);
  const upper = Math.min(earlier.upper, later.upper);
  if (lower > upper) return later;
  return { lower, upper, estimate: later.estimate ?? earlier.estimate };
}

/** The score for the opponent, a ply earlier: a win in 3 becomes a loss in 4. */
export function before(value: Value): Value {
  if (value === 0) return 0;
  return value > 0 ? lossIn(pliesOf(value) + 1) : winIn(pliesOf(value) + 1);
}

export function compareScores(a: Score, b: Score): number {
  return rank(b) - rank(a);
}

function rank(score: Score): number {
  if (isExact(score)) return score.lower * 1000;
  if (score.lower > 0) return score.lower * 1000;
  if (score.upper < 0) return score.upper * 1000;
  return (
    Math.max(-999, Math.min(999, score.estimate ?? 0)) / 10 + (score.lower === 0 ? 1 : score.upper === 0 ? -200 : 0)
  );
}

/** “wins in 9”, “draw”, “at least a draw”, “about +0.40” (estimate) or “…” (unknown). */
export function describe(score: Score): string {
  const { lower, upper } = score;
  if (lower === upper) {
    if (lower === 0) return "draw";
    return lower > 0 ? `wins in ${pliesOf(lower)}` : `loses in ${pliesOf(lower)}`;
  }
  if (lower > 0) return `wins in ${pliesOf(lower)} or fewer`;
  if (upper < 0) return `loses in ${pliesOf(upper)} or fewer`;
  if (lower === 0) return "at least a draw";
  if (upper === 0) return "at most a draw";
  return score.estimate === null ? "…" : `about ${estimateText(score.estimate)}`;
}

/** Words in two short lines, for a column of the board. */
export function describeShortly(score: Score): readonly [string, string] {
  const { lower, upper } = score;
  if (lower === upper) {
    if (lower === 0) return ["draw", ""];
    return [lower > 0 ? "wins" : "loses", `in ${pliesOf(lower)}`];
  }
  if (lower > 0) return ["wins", `in ≤ ${pliesOf(lower)}`];
  if (upper < 0) return ["loses", `in ≤ ${pliesOf(upper)}`];
  if (lower === 0) return ["draws", "or wins"];
  if (upper === 0) return ["draws", "or loses"];
  return [score.estimate === null ? "…" : estimateText(score.estimate), ""];
}

/** Signs for a narrow column: first letter of win, loss or draw, and the plies. */
export function describeInSigns(score: Score): readonly [string, string] {
  const { lower, upper } = score;
  if (lower > 0) return ["W", `${lower === upper ? "" : "≤"}${pliesOf(lower)}`];
  if (upper < 0) return ["L", `${lower === upper ? "" : "≤"}${pliesOf(upper)}`];
  if (lower === 0) return ["D", upper === 0 ? "" : "+"];
  if (upper === 0) return ["D", "−"];
  // `+.4`, `−1.2`.
  return [
    score.estimate === null
      ? "…"
      : estimateText(score.estimate)
          .replace(/^(.)0(?=\.)/, "$1")
          .slice(0, -1),
    "",
  ];
}

export type Outcome = "win" | "draw" | "loss" | "open";

/** Whether no result is excluded yet. */
export const isUnproven = (score: Score): boolean => score.lower < 0 && score.upper > 0;

/** An estimate in words. 100 is a large advantage. */
export const estimateText = (estimate: number): string =>
  `${estimate < 0 ? "−" : "+"}${(Math.abs(estimate) / 100).toFixed(2)}`;

export function outcomeOf(score: Score): Outcome {
  if (score.lower > 0) return "win";
  if (score.upper < 0) return "loss";
  return score.lower === 0 && score.upper === 0 ? "draw" : "open";
}

/** The score of files of positions: the winner's remaining stones plus one, negative for a loss. */
export function toPoints(value: Value, stones: number, board: Board): number {
  if (value === 0) return 0;
  const points = Math.floor((board.cells + 2 - stones - pliesOf(value)) / 2);
  return value > 0 ? points : -points;
}

/** The value of a score in points in a position with `plies` stones. */
export function fromPoints(points: number, stones: number, board: Board): Value {
  if (points === 0) return 0;
  // Two successive stones share a score. A win takes an odd number of plies, a loss an even number.
  const later = board.cells + 2 - 2 * Math.abs(points) - stones;
  const isOdd = Math.abs(later) % 2 === 1;
  const plies = isOdd === points > 0 ? later : later - 1;
  return points > 0 ? winIn(plies) : lossIn(plies);
}

export interface Loss {
  /** In points. 0 for a best move. */
  readonly points: number;
  /** Whether the result changed, not only the distance. */
  readonly isBlunder: boolean;
  /** “loses in 17”, “draws”. */
  readonly outcome: string;
  /** `end` with the better result. Empty for a best move. */
  readonly text: string;
}

/** The loss from `best`, the value of the position, to `played`, for the player who moves. */
export function lossOf(best: Value, played: Value, stones: number, board: Board): Loss {
  const points = toPoints(best, stones, board) - toPoints(played, stones, board);
  const isBlunder = Math.sign(best) !== Math.sign(played);
  const outcome = played === 0 ? "draws" : describe(exactly(played));
  if (isBlunder)
    return { points, isBlunder, outcome, text: `${outcome} instead of ${best > 0 ? "winning" : "drawing"}` };
  if (points <= 0) return { points: 0, isBlunder, outcome, text: "" };
  const slower = Math.abs(pliesOf(played) - pliesOf(best));
  return { points, isBlunder, outcome, text: `${outcome}, ${slower} ${best > 0 ? "later" : "sooner"} than need be` };
}

/** A height from -1 to 1 for a chart. Fast wins are near 1, estimates near 0. */
export function heightOf(score: Score, board: Board): number {
  const of = (value: Value): number => (value === 0 ? 0 : Math.sign(value) * heightOfEnd(pliesOf(value), board));
  if (isExact(score)) return of(score.lower);
  if (score.lower > 0) return of(score.lower);
  if (score.upper < 0) return of(score.upper);
  return Math.max(-0.3, Math.min(0.3, (score.estimate ?? 0) / 1000));
}

export const heightOfEnd = (plies: number, board: Board): number =>
  0.4 + 0.6 * (1 - Math.min(board.cells, plies) / board.cells);
