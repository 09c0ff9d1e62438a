import { type Board } from "../game/board";
import { exactly, lossIn, type Score, UNKNOWN, winIn } from "../game/score";

export interface Info {
  readonly depth: number;
  readonly nodes: number;
  readonly nodesPerSecond: number;
  readonly milliseconds: number;
  /** Columns from 0. The score belongs to the first move. */
  readonly line: readonly number[];
  readonly score: Score;
}

const columnOf = (move: string): number => (/^P@[a-z]\d+$/.test(move) ? move.charCodeAt(2) - 97 : -1);

/** Reads an `info` line in UCI about a position with `plies` stones. Undefined without a score. */
export function parseInfo(text: string, stones: number, board: Board): Info | null {
  const words = text.trim().split(/\s+/);
  if (words[0] !== "info" || words[1] === "string") return null;
  const after = (name: string): string | undefined => {
    const index = words.indexOf(name);
    return index < 0 ? undefined : words[index + 1];
  };
  const start = words.indexOf("pv");
  const line = start < 0 ? [] : words.slice(start + 1).map(columnOf);
  const kind = after("score");
  const score = words.indexOf("score");
  const amount = Number(words[score + 2]);
  if (line.some((column) => column < 0 || column >= board.width)) return null;
  if (score < 0 || line.length === 0 || !Number.isFinite(amount)) return null;
  const bound = words[score + 3];
  return {
    depth: Number(after("depth") ?? 0),
    nodes: Number(after("nodes") ?? 0),
    nodesPerSecond: Number(after("nps") ?? 0),
    milliseconds: Number(after("time") ?? 0),
    line,
    score: scoreOf(kind ?? "", amount, bound, stones + line.length === board.cells),
  };
}

function scoreOf(kind: string, amount: number, bound: string | undefined, isToTheEnd: boolean): Score {
  const isBound = bound === "lowerbound" || bound === "upperbound";
  // A draw is proven if it is a bound, or if its moves reach the end of the game.
  if (kind === "cp" && !(amount === 0 && (isBound || isToTheEnd))) return { ...UNKNOWN, estimate: amount };
  // A mate counts moves of the winner, who makes the first or the second ply.
  const value = kind === "cp" ? 0 : amount > 0 ? winIn(2 * amount - 1) : lossIn(-2 * amount);
  if (bound === "lowerbound") return { ...UNKNOWN, lower: value };
  if (bound === "upperbound") return { ...UNKNOWN, upper: value };
  return exactly(value);
}

/** The column of a `bestmove` line. Undefined if the game is over. */
export function parseBestMove(text: string): number | null {
  const match = /^bestmove\s+(P@\S+)/.exec(text);
  return match === null ? null : columnOf(match[1] ?? "");
}
