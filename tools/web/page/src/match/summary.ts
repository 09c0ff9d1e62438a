/** The figures of a match, as the program that runs it computes them. */

import { InputError } from "../game/fault";

export interface Standing {
  readonly name: string;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly points: number;
  readonly elo: number | null;
  readonly error: number | null;
  /** In words, what bound there is where one side won everything: `> 182`. */
  readonly eloBound: string | null;
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

export interface Pairing {
  readonly first: string;
  readonly second: string;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly elo: number | null;
  readonly error: number | null;
}

export interface Sprt {
  readonly elo0: number;
  readonly elo1: number;
  readonly lower: number;
  readonly upper: number;
  readonly llr: number;
  readonly path: readonly (readonly [number, number])[];
  readonly verdict: string | null;
}

export type State = "running" | "finished" | "interrupted";

export interface Summary {
  readonly title: string;
  readonly state: State;
  readonly played: number;
  readonly planned: number;
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

/** Reads a summary. Fails if it is none or of another format. */
export function parseSummary(value: unknown): Summary {
  if (!isFields(value) || value.format !== 1) throw new InputError("The summary of the match is not of format 1.");
  const games = isFields(value.games) ? value.games : {};
  const state = value.state === "running" || value.state === "interrupted" ? value.state : "finished";
  return {
    title: text(value.title),
    state,
    played: number(games.played),
    planned: number(games.planned),
    standings: list(value.standings).map((row) => ({
      name: text(row.name),
      games: number(row.games),
      points: number(row.points),
      faults: number(row.faults),
      eloBound: row.elo === null && typeof row.elo_text === "string" ? row.elo_text.replace("-", "−") : null,
      checked: number(row.checked),
      blunders: number(row.blunders),
      meanTime: numberOrNull(row.mean_ms),
      longestTime: numberOrNull(row.longest_ms),
      ...countsOf(row),
    })),
    pairings: list(value.pairings).map((row) => ({
      first: text(row.first),
      second: text(row.second),
      ...countsOf(row),
    })),
    eloCurve: points(value.elo_curve).map((point) => [point[0] ?? 0, point[1] ?? 0, point[2] ?? 0] as const),
    sprt: isFields(value.sprt) ? parseSprt(value.sprt) : null,
    notes: texts(value.notes),
    theory: isFields(value.theory) ? parseTable(value.theory) : null,
  };
}

function parseTable(value: Fields): Table {
  return { headings: texts(value.headings), rows: Array.isArray(value.rows) ? value.rows.map(texts) : [] };
}

function countsOf(row: Fields) {
  return {
    wins: number(row.wins),
    draws: number(row.draws),
    losses: number(row.losses),
    elo: numberOrNull(row.elo),
    error: numberOrNull(row.error),
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
    llr: number(value.llr),
    path: points(value.path).map((point) => [point[0] ?? 0, point[1] ?? 0] as const),
    verdict: typeof value.verdict === "string" ? value.verdict : null,
  };
}
