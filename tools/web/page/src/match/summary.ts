/** Figures of a match, computed by `plumb-lab`. */

import * as v from "valibot";
import type { GameRecord, Match } from "./record";
import { check, number, numberOrNull, text } from "./schema";

/** An Elo difference. null is infinite. `text` may be a bound, `> 182`. */
const Estimate = v.object({ value: numberOrNull, error: numberOrNull, text });
const elo = v.fallback(v.nullable(Estimate), null);
const counts = {
  games: number,
  wins: number,
  draws: number,
  losses: number,
  points: number,
  score: numberOrNull,
};
const Standing = v.object({
  name: text,
  ...counts,
  elo,
  faults: number,
  /** Examined moves, and blunders among them. */
  checked: number,
  blunders: number,
  mean_ms: numberOrNull,
  longest_ms: numberOrNull,
});
const Pairing = v.object({ first: text, second: text, ...counts, elo });
const Sprt = v.object({
  elo0: number,
  elo1: number,
  lower: number,
  upper: number,
  path: v.fallback(v.array(v.tuple([number, number])), []),
  decision: text,
});
const Table = v.object({
  headings: v.array(text),
  rows: v.array(v.object({ cells: v.array(text) })),
});
const Summary = v.object({
  format: v.literal(1),
  state: v.fallback(v.nullable(v.picklist(["running", "finished", "interrupted"])), "finished"),
  games: v.fallback(v.object({ played: number, planned: numberOrNull }), { played: 0, planned: 0 }),
  time_control: text,
  openings: v.fallback(v.object({ source: text }), { source: "" }),
  // Only with three engines or more.
  standings: v.fallback(v.array(v.object({ ...Standing.entries, rating: elo })), []),
  pairings: v.fallback(v.array(Pairing), []),
  /** Games, Elo of the first engine, its error. */
  elo_curve: v.fallback(v.array(v.tuple([number, number, number])), []),
  sprt: v.fallback(v.nullable(Sprt), null),
  notes: v.fallback(v.array(text), []),
  /** Only for matches from lost or drawn positions. */
  theory: v.fallback(v.nullable(Table), null),
});

export type Estimate = v.InferOutput<typeof Estimate>;
export type Standing = v.InferOutput<typeof Standing>;
export type Summary = Omit<v.InferOutput<typeof Summary>, "format" | "standings"> & {
  readonly standings: readonly Standing[];
};

export function parseSummary(value: unknown): Summary {
  const summary = check(Summary, value, "The summary of the match");
  return { ...summary, standings: summary.standings.map(({ rating, ...row }) => ({ ...row, elo: rating ?? row.elo })) };
}

/** Results of games without a summary, without statistics. */
export function countResults({ header, games }: Match): Summary {
  const pointsOf = (game: GameRecord, name: string): number[] => {
    if (game.result === "*" || (game.first !== name && game.second !== name)) return [];
    if (game.result === "1/2-1/2") return [0.5];
    return [(game.result === "1-0") === (game.first === name) ? 1 : 0];
  };
  const standings = header.engines.map((name): Standing => {
    const all = games.flatMap((game) => pointsOf(game, name));
    const [losses = 0, draws = 0, wins = 0] = [0, 0.5, 1].map((points) => all.filter((one) => one === points).length);
    const [count, points] = [all.length, wins + draws / 2];
    const counts = { games: count, wins, draws, losses, points, score: count === 0 ? null : points / count };
    return { name, ...counts, elo: null, faults: 0, checked: 0, blunders: 0, mean_ms: null, longest_ms: null };
  });
  return {
    state: null,
    games: { played: games.length, planned: null },
    time_control: "",
    openings: { source: "" },
    standings: standings.sort((a, b) => (b.score ?? 0) - (a.score ?? 0)),
    pairings: [],
    elo_curve: [],
    sprt: null,
    notes: ["Elo and other figures are in summary.json: open it together with match.jsonl, or their folder."],
    theory: null,
  };
}
