/** Scores: exact ones, bounds and estimates, how they compare, and what they are called. */

import { type Board } from "./board";

/**
 * A proven result seen by the player to move: above 0 a win, 0 a draw, below 0 a loss. The size is 1000 minus the plies to
 * the end, so that a faster win is more and a slower loss is more.
 */
export type Value = number;

const SCALE = 1000;
export const BEST: Value = SCALE;
export const WORST: Value = -SCALE;

export const winIn = (plies: number): Value => SCALE - plies;
export const lossIn = (plies: number): Value => plies - SCALE;
/** Plies to the end of a value that is no draw. */
export const pliesOf = (value: Value): number => SCALE - Math.abs(value);

export interface Score {
  readonly lower: Value;
  readonly upper: Value;
  /** In hundredths, for an order among moves that nothing is proven of. */
  readonly estimate: number | null;
}

export const UNKNOWN: Score = { lower: WORST, upper: BEST, estimate: null };
export const exactly = (value: Value): Score => ({ lower: value, upper: value, estimate: null });
export const isExact = (score: Score): boolean => score.lower === score.upper;
export const valueOf = (score: Score): Value | null => (isExact(score) ? score.lower : null);

/** What is known from both; the later one if they contradict each other. */
export function combine(earlier: Score, later: Score): Score {
  const lower = Math.max(earlier.lower, later.lower);
  const upper = Math.min(earlier.upper, later.upper);
  if (lower > upper) return later;
  return { lower, upper, estimate: later.estimate ?? earlier.estimate };
}

/** The same score for the other player, a ply earlier: a win in 3 is, before the move that leads to it, a loss in 4. */
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

/** Plain words: “wins in 9”, “draw”, “at least a draw”; “about +0.40” while nothing is proven, “…” while nothing is known. */
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

/** The same in two short lines, for a column of the board. */
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

/** The same in a few signs, for a narrow column: the first letter of win, loss or draw, and the number of plies. */
export function describeInSigns(score: Score): readonly [string, string] {
  const { lower, upper } = score;
  if (lower > 0) return ["W", `${lower === upper ? "" : "≤"}${pliesOf(lower)}`];
  if (upper < 0) return ["L", `${lower === upper ? "" : "≤"}${pliesOf(upper)}`];
  if (lower === 0) return ["D", upper === 0 ? "" : "+"];
  if (upper === 0) return ["D", "−"];
  // As `+.4` and `−1.2`.
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

/** Whether there is no bound yet that says anything: neither who wins nor that somebody does not. */
export const isUnproven = (score: Score): boolean => score.lower < 0 && score.upper > 0;

/** An estimate, as engines count, in words for people: a hundred is a large advantage. */
export const estimateText = (estimate: number): string =>
  `${estimate < 0 ? "−" : "+"}${(Math.abs(estimate) / 100).toFixed(2)}`;

export function outcomeOf(score: Score): Outcome {
  if (score.lower > 0) return "win";
  if (score.upper < 0) return "loss";
  return score.lower === 0 && score.upper === 0 ? "draw" : "open";
}

/**
 * The score in points, as files of positions have it: the stones that the winner has left when the game ends, plus one;
 * negative for a loss.
 */
export function toPoints(value: Value, stones: number, board: Board): number {
  if (value === 0) return 0;
  const points = Math.floor((board.cells + 2 - stones - pliesOf(value)) / 2);
  return value > 0 ? points : -points;
}

/** The value of a score in points, in a position of so many stones. */
export function fromPoints(points: number, stones: number, board: Board): Value {
  if (points === 0) return 0;
  // Two successive stones have the same points; a win takes an odd number of plies, a loss an even one.
  const later = board.cells + 2 - 2 * Math.abs(points) - stones;
  const isOdd = Math.abs(later) % 2 === 1;
  const plies = isOdd === points > 0 ? later : later - 1;
  return points > 0 ? winIn(plies) : lossIn(plies);
}

export interface Loss {
  /** In points, 0 for a best move. */
  readonly points: number;
  /** Whether a better result was to be had, and not only a faster win or a slower loss. */
  readonly isBlunder: boolean;
  /** How the game ends after it: “loses in 17”, “draws”. */
  readonly outcome: string;
  /** The same, and what was to be had; empty for a best move. */
  readonly text: string;
}

/** What is lost from `best`, the value of the position, to `played`, the value of the move; both for the mover. */
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

/** A height between -1 and 1 for a chart: wins near 1, faster ones higher; estimates stay near 0. */
export function heightOf(score: Score, board: Board): number {
  const of = (value: Value): number => (value === 0 ? 0 : Math.sign(value) * heightOfEnd(pliesOf(value), board));
  if (isExact(score)) return of(score.lower);
  if (score.lower > 0) return of(score.lower);
  if (score.upper < 0) return of(score.upper);
  return Math.max(-0.3, Math.min(0.3, (score.estimate ?? 0) / 1000));
}

/** How high a win so many plies away stands in a chart. */
export const heightOfEnd = (plies: number, board: Board): number =>
  0.4 + 0.6 * (1 - Math.min(board.cells, plies) / board.cells);
