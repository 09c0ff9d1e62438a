/** Standings and ratings, for records that come without the figures of the program that ran the match. */

import type { GameRecord, Match } from "./record";
import type { Standing, Summary } from "./summary";

/** Elo difference of a score between 0 and 1; nothing at the ends, where it has no bounds. */
export function eloOf(score: number): number | null {
  if (score <= 0 || score >= 1) return null;
  return -400 * Math.log10(1 / score - 1);
}

/** Elo and half the width of its 95 % interval, from wins, draws and losses. */
export function eloWithError(
  wins: number,
  draws: number,
  losses: number,
): { elo: number | null; error: number | null } {
  const games = wins + draws + losses;
  if (games === 0) return { elo: null, error: null };
  const mean = (wins + draws / 2) / games;
  const variance = (wins * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + losses * mean ** 2) / games;
  const margin = 1.959964 * Math.sqrt(variance / games);
  const low = eloOf(mean - margin);
  const high = eloOf(mean + margin);
  return { elo: eloOf(mean), error: low === null || high === null ? null : (high - low) / 2 };
}

/** Reasons that are somebody's fault. */
const REGULAR = new Set(["", "four_in_a_row", "full_board"]);

/** A summary of the games that there are. */
export function summarize(match: Match): Summary {
  const { header, games } = match;
  const planned = header.planned ?? games.length;
  const curve: [number, number, number][] = [];
  if (header.engines.length === 2) {
    const counts = { wins: 0, draws: 0, losses: 0 };
    const step = Math.max(1, Math.floor(games.length / 200));
    games.forEach((game, index) => {
      count(counts, game, header.engines[0] ?? "");
      if (index % step !== 0 && index !== games.length - 1) return;
      const { elo, error } = eloWithError(counts.wins, counts.draws, counts.losses);
      if (elo !== null && error !== null) curve.push([index + 1, elo, error]);
    });
  }
  return {
    title: header.title,
    state: games.length >= planned ? "finished" : "interrupted",
    played: games.length,
    planned,
    standings: header.engines
      .map((name) => standingOf(name, games))
      .sort((a, b) => b.points / (b.games || 1) - a.points / (a.games || 1)),
    pairings: pairingsOf(header.engines, games),
    eloCurve: curve,
    sprt: null,
    notes: [],
    theory: null,
  };
}

function count(counts: { wins: number; draws: number; losses: number }, game: GameRecord, name: string): void {
  if (game.result === "*") return;
  if (game.result === "1/2-1/2") counts.draws += 1;
  else if ((game.result === "1-0") === (game.first === name)) counts.wins += 1;
  else counts.losses += 1;
}

function standingOf(name: string, games: readonly GameRecord[]): Standing {
  const counts = { wins: 0, draws: 0, losses: 0 };
  let faults = 0;
  const losses: number[] = [];
  const times: number[] = [];
  for (const game of games) {
    if (game.first !== name && game.second !== name) continue;
    count(counts, game, name);
    game.moves.forEach((move, index) => {
      const mover = (game.openingPlies + index) % 2 === 0 ? game.first : game.second;
      if (mover !== name) return;
      if (move.loss !== null) losses.push(move.loss);
      if (move.milliseconds !== null) times.push(move.milliseconds);
    });
    const lost = (game.result === "1-0") !== (game.first === name) && game.result !== "1/2-1/2";
    if (lost && !REGULAR.has(game.reason)) faults += 1;
  }
  return {
    name,
    ...counts,
    games: counts.wins + counts.draws + counts.losses,
    points: counts.wins + counts.draws / 2,
    ...eloWithError(counts.wins, counts.draws, counts.losses),
    eloBound: null,
    faults,
    checked: losses.length,
    blunders: losses.filter((loss) => loss > 0).length,
    meanTime: times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length,
    longestTime: times.length === 0 ? null : times.reduce((longest, time) => Math.max(longest, time), 0),
  };
}

function pairingsOf(names: readonly string[], games: readonly GameRecord[]): Summary["pairings"] {
  return names.flatMap((first, index) =>
    names.slice(index + 1).flatMap((second) => {
      const counts = { wins: 0, draws: 0, losses: 0 };
      for (const game of games) {
        const isTheirs =
          (game.first === first && game.second === second) || (game.first === second && game.second === first);
        if (isTheirs) count(counts, game, first);
      }
      if (counts.wins + counts.draws + counts.losses === 0) return [];
      return [{ first, second, ...counts, ...eloWithError(counts.wins, counts.draws, counts.losses) }];
    }),
  );
}
