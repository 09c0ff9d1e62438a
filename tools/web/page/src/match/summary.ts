/** The figures of a match, as the program that runs it computes them. */

import { InputError } from "../game/fault";
import type { GameRecord, Match } from "./record";

/** An Elo difference. */
export interface Estimate {
  /** Nothing if it is infinite. */
  readonly value: number | null;
  /** Half the width of the interval; nothing where an end is infinite. */
  readonly error: number | null;
  /** As the program prints it, also as a bound: `> 182`. */
  readonly text: string;
}

interface Counts {
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly points: number;
  /** The share of all points; nothing without games. */
  readonly score: number | null;
}

export interface Standing extends Counts {
  readonly name: string;
  /** The rating, of three engines or more; else the difference. */
  readonly elo: Estimate | null;
  readonly faults: number;
  /** Moves that were examined for blunders, and blunders. */
  readonly checked: number;
  readonly blunders: number;
  /** Of all moves, in milliseconds; nothing without a record of times. */
  readonly meanTime: number | null;
  readonly longestTime: number | null;
}

/** A table in words. */
export interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface Pairing extends Counts {
  readonly first: string;
  readonly second: string;
  readonly elo: Estimate | null;
}

export interface Sprt {
  readonly elo0: number;
  readonly elo1: number;
  readonly lower: number;
  readonly upper: number;
  readonly path: readonly (readonly [number, number])[];
  readonly verdict: string | null;
}

export type State = "running" | "finished" | "interrupted";

export interface Summary {
  /** Nothing if it is not known, nor how many games were planned. */
  readonly state: State | null;
  readonly played: number;
  readonly planned: number | null;
  readonly timeControl: string;
  readonly openings: string;
  readonly standings: readonly Standing[];
  readonly pairings: readonly Pairing[];
  /** Games, Elo of the first engine, half the width of its interval. */
  readonly eloCurve: readonly (readonly [number, number, number])[];
  readonly sprt: Sprt | null;
  /** Sentences about the match. */
  readonly notes: readonly string[];
  /** The results beside those of theory, of a match from lost or drawn positions. */
  readonly theory: Table | null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const numberOrNull = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const VERDICTS: Readonly<Record<string, string>> = { accept_h0: "H0 accepted", accept_h1: "H1 accepted" };

/** Reads a summary. Fails if it is none or of another format. */
export function parseSummary(value: unknown): Summary {
  if (!isFields(value) || value.format !== 1) throw new InputError("The summary of the match is not of format 1.");
  const games = isFields(value.games) ? value.games : {};
  const state = value.state === "running" || value.state === "interrupted" ? value.state : "finished";
  return {
    state,
    played: number(games.played),
    planned: number(games.planned),
    timeControl: text(value.time_control),
    openings: text(isFields(value.openings) ? value.openings.source : ""),
    standings: list(value.standings).map((row) => ({
      name: text(row.name),
      faults: number(row.faults),
      elo: parseEstimate(row.rating ?? row.elo),
      checked: number(row.checked),
      blunders: number(row.blunders),
      meanTime: numberOrNull(row.mean_ms),
      longestTime: numberOrNull(row.longest_ms),
      ...countsOf(row),
    })),
    pairings: list(value.pairings).map((row) => ({
      first: text(row.first),
      second: text(row.second),
      elo: parseEstimate(row.elo),
      ...countsOf(row),
    })),
    eloCurve: points(value.elo_curve).map((point) => [point[0] ?? 0, point[1] ?? 0, point[2] ?? 0] as const),
    sprt: isFields(value.sprt) ? parseSprt(value.sprt) : null,
    notes: texts(value.notes),
    theory: isFields(value.theory) ? parseTable(value.theory) : null,
  };
}

function parseTable(value: Fields): Table {
  return { headings: texts(value.headings), rows: list(value.rows).map((row) => texts(row.cells)) };
}

function parseEstimate(value: unknown): Estimate | null {
  if (!isFields(value)) return null;
  return { value: numberOrNull(value.value), error: numberOrNull(value.error), text: text(value.text) };
}

function countsOf(row: Fields): Counts {
  return {
    games: number(row.games),
    wins: number(row.wins),
    draws: number(row.draws),
    losses: number(row.losses),
    points: number(row.points),
    score: numberOrNull(row.score),
  };
}

function points(value: unknown): number[][] {
  return Array.isArray(value) ? value.filter(Array.isArray).map((point: unknown[]) => point.map(number)) : [];
}

function parseSprt(value: Fields): Sprt {
  return {
    elo0: number(value.elo0),
    elo1: number(value.elo1),
    lower: number(value.lower),
    upper: number(value.upper),
    path: points(value.path).map((point) => [point[0] ?? 0, point[1] ?? 0] as const),
    verdict: VERDICTS[text(value.decision)] ?? null,
  };
}

/** The results of games whose figures are not at hand, without statistics. */
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
    return { name, ...counts, elo: null, faults: 0, checked: 0, blunders: 0, meanTime: null, longestTime: null };
  });
  return {
    state: null,
    played: games.length,
    planned: null,
    timeControl: "",
    openings: "",
    standings: standings.sort((a, b) => (b.score ?? 0) - (a.score ?? 0)),
    pairings: [],
    eloCurve: [],
    sprt: null,
    notes: ["Elo and other figures are in summary.json: open it together with match.jsonl, or their folder."],
    theory: null,
  };
}
