import { type Board } from "../game/board";
import { estimateText, heightOfEnd } from "../game/score";
import type { EngineScore, GameRecord, MoveRecord, Result } from "./record";
import type { Estimate } from "./summary";

const REASONS: Readonly<Record<string, string>> = {
  four_in_a_row: "four in a row",
  full_board: "full board",
  time_forfeit: "out of time",
  illegal_move: "illegal move",
  crash: "crashed",
  hang: "did not answer",
  several_best_moves: "moved unasked",
};

/** Reasons that are not forfeits, in records and PGN. "" is a PGN without a reason. */
const NO_FORFEITS = ["four_in_a_row", "full_board", "adjudicated", "adjudication", "unterminated", ""];

/** Whether the loser broke a rule or its time. */
export const isForfeit = (reason: string): boolean => !NO_FORFEITS.includes(reason);

export function reasonText(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

export function resultText(game: Pick<GameRecord, "first" | "second" | "result">): string {
  if (game.result === "1-0") return `${game.first} won`;
  if (game.result === "0-1") return `${game.second} won`;
  return game.result === "*" ? "not finished" : "draw";
}

export const resultSign = (result: Result): string => (result === "1/2-1/2" ? "½–½" : result.replace("-", "–"));

/** “wins in 9”, “loses in 14”, “even”, “+0.40”, “loses in 14 or better”. */
export function opinionText(score: EngineScore | null): string {
  if (score === null) return "";
  const side = score.bound === undefined ? "" : score.bound === "lower" ? " or better" : " or worse";
  if ("mate" in score) return (score.mate > 0 ? `wins in ${score.mate}` : `loses in ${-score.mate}`) + side;
  return (score.cp === 0 ? "even" : estimateText(score.cp)) + side;
}

/** Score and later bounds: “even, then wins in 17 or better”. */
export const thoughtText = (move: MoveRecord): string =>
  [move.score, ...move.later]
    .map(opinionText)
    .filter((text) => text !== "")
    .join(", then ");

/** A height from -1 to 1 for a chart, for the player who moves. */
export function opinionHeight(score: EngineScore | null, board: Board): number | null {
  if (score === null) return null;
  if ("mate" in score) return Math.sign(score.mate) * heightOfEnd(Math.abs(score.mate), board);
  return 0.38 * Math.tanh(score.cp / 400);
}

export function timeText(milliseconds: number | null): string {
  if (milliseconds === null) return "";
  if (milliseconds < 1) return "0 ms";
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
}

/** `+12 ± 8`, `−3 ± 8`, a bound, or “even” if all results are equal. */
export function eloText(elo: Estimate | null): string {
  if (elo === null) return "–";
  const { value, error, text } = elo;
  // A bound on the wrong side of 0 decides nothing.
  if (/^(> -|< [^-])/.test(text)) return `too few games (${text.replace("-", "−")})`;
  if (value === null || error === null) return text.replace("-", "−");
  if (Math.round(value) === 0 && error < 0.5) return "even";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(0)} ± ${error.toFixed(0)}`;
}

/** `2:05`, with tenths near the end. */
export function clockText(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return (left / 1000).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
