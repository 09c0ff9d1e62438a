/** `match.jsonl`: a header, then one game per line. */

import * as v from "valibot";
import { Board, letterOf } from "../game/board";
import { at, InputError, quote } from "../game/fault";
import { type Line } from "../game/position";
import { readLine, WordError } from "../game/reader";
import { check, numberOrNull, score, text } from "./schema";

export interface MatchHeader {
  readonly title: string;
  readonly started: string;
  readonly engines: readonly string[];
  readonly settings: readonly Settings[];
  readonly board: Board;
}

export type Settings = Readonly<Record<string, unknown>>;

/** Score of an engine for the player who moves. `mate` counts plies. `bound`: at least or at most this. */
export type EngineScore = ({ readonly cp: number } | { readonly mate: number }) & {
  readonly bound?: "lower" | "upper";
};

export const RESULTS = ["1-0", "0-1", "1/2-1/2"] as const;
/** `*`: an unfinished game of a PGN. */
export type Result = (typeof RESULTS)[number] | "*";

export interface GameRecord {
  readonly number: number;
  readonly pair: number;
  readonly first: string;
  readonly second: string;
  readonly result: Result;
  readonly reason: string;
  readonly detail: string;
  readonly opening: string;
  /** Including the opening. */
  readonly line: Line;
  /** Number of moves of the opening. */
  readonly openingPlies: number;
  readonly moves: readonly MoveRecord[];
  readonly seconds: number | null;
}

export interface Match {
  readonly header: MatchHeader;
  readonly games: readonly GameRecord[];
}

const Header = v.object({
  format: v.literal(1),
  title: text,
  started: text,
  settings: v.looseObject({ engines: v.array(v.looseObject({ name: text })), board: v.string() }),
});

const Move = v.pipe(
  v.object({
    column: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(25)),
    time_ms: numberOrNull,
    clock_ms: numberOrNull,
    depth: numberOrNull,
    score,
    bound: v.fallback(v.optional(v.picklist(["lower", "upper"])), undefined),
    lower: score,
    upper: score,
    nodes: numberOrNull,
    loss: numberOrNull,
    /** Exact score before the move, in points, for the player who moves. */
    exact: numberOrNull,
  }),
  v.transform(({ column, time_ms, clock_ms, score, bound, lower, upper, ...rest }) => {
    const later: (EngineScore | null)[] = [
      lower && { ...lower, bound: "lower" as const },
      upper && { ...upper, bound: "upper" as const },
    ];
    return {
      ...rest,
      column: column - 1,
      milliseconds: time_ms,
      clock: clock_ms,
      score: (score && (bound === undefined ? score : { ...score, bound })) as EngineScore | null,
      later: later.filter((one) => one !== null),
    };
  }),
);

export type MoveRecord = Readonly<v.InferOutput<typeof Move>>;

/** Also present for games in progress. */
export const gameFields = {
  game: v.fallback(v.number(), 0),
  pair: v.fallback(v.number(), 0),
  opening: v.fallback(v.object({ name: text, moves: text }), { name: "", moves: "" }),
  first: v.string(),
  second: v.string(),
  moves: v.array(Move),
  seconds: numberOrNull,
};
const Game = v.object({ ...gameFields, result: v.picklist(RESULTS), reason: text, detail: text });

/** Reads a `match.jsonl`, without an incomplete last line. */
export function parseRecord(text: string, name = "match.jsonl"): Match {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const used = lines.map((line, index) => ({ line: line.trim(), number: index + 1 })).filter(({ line }) => line !== "");
  const first = used[0];
  if (first === undefined) throw new InputError(`${name}: the file is empty.`);
  const header = parseHeader(parseJson(first.line, `${name}, line ${first.number}`), `${name}, line ${first.number}`);
  const games: GameRecord[] = [];
  used.slice(1).forEach(({ line, number }, index) => {
    const where = `${name}, line ${number}`;
    let value: unknown;
    try {
      value = parseJson(line, where);
    } catch (error) {
      if (index === used.length - 2 && !text.endsWith("\n")) return;
      throw error;
    }
    games.push(parseGame(value, header.board, where));
  });
  return { header, games };
}

export function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError(`${where}: ${quote(line)} is not JSON.`);
  }
}

export function parseHeader(value: unknown, where: string): MatchHeader {
  const { title, started, settings } = check(Header, value, where);
  const { engines, ...rest } = settings;
  const board = parseBoard(settings.board, where);
  return { title, started, engines: engines.map(({ name }) => name), settings: [...engines, rest], board };
}

function parseBoard(text: string, where: string): Board {
  const board = at(where, () => Board.parse(text));
  if (board !== null) return board;
  throw new InputError(`${where}: the board is ${quote(text)}; expected a size such as 8x7.`);
}

export function parseGame(value: unknown, board: Board, where: string): GameRecord {
  const { result, reason, detail, ...game } = check(Game, value, where);
  return { ...toGame(game, board, where), result, reason, detail };
}

type GameFields = v.InferOutput<v.ObjectSchema<typeof gameFields, undefined>>;

/** The engine finds illegal moves. */
export function toGame(
  { game, opening, ...fields }: GameFields,
  board: Board,
  where: string,
): Omit<GameRecord, "result" | "reason" | "detail"> {
  // Openings have digits, or letters from the tenth column on.
  const letters = [...opening.moves].map((sign) => (/[1-9]/.test(sign) ? letterOf(Number(sign) - 1) : sign));
  const openingPlies = letters.length;
  try {
    const line = readLine([...letters, ...fields.moves.map(({ column }) => letterOf(column))].join(" "), board);
    return { ...fields, number: game, opening: opening.name, line, openingPlies };
  } catch (error) {
    if (!(error instanceof WordError)) throw error;
    const move = error.before - openingPlies + 1;
    throw new InputError(`${where}, ${move > 0 ? `move ${move}` : "opening"}, ${error.message}`);
  }
}
