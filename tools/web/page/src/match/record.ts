/** The record of a match: `match.jsonl`, a header and then a game on each line. */

import { Board } from "../game/board";
import { InputError, quote } from "../game/fault";
import { parseColumns } from "../game/notation";
import { type Line, Position } from "../game/position";

export interface MatchHeader {
  readonly title: string;
  readonly started: string;
  readonly engines: readonly string[];
  /** The board of all games. */
  readonly board: Board;
}

/** An engine's opinion, seen from the mover: `mate` counts plies; with a `bound` it is this at least, or at most. */
export type EngineScore = ({ readonly cp: number } | { readonly mate: number }) & {
  readonly bound?: "lower" | "upper";
};

export interface MoveRecord {
  readonly column: number;
  readonly milliseconds: number | null;
  readonly clock: number | null;
  readonly depth: number | null;
  readonly score: EngineScore | null;
  /** Bounds that the engine reported after the score. */
  readonly later: readonly EngineScore[];
  readonly nodes: number | null;
  /** Points given away; nothing if that was not checked. */
  readonly loss: number | null;
  /** The exact score of the position before the move, in points, for the mover. */
  readonly exact: number | null;
}

export const RESULTS = ["1-0", "0-1", "1/2-1/2"] as const;
/** `*` is a game of a PGN that did not end. */
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
  /** All moves, those of the opening included. */
  readonly line: Line;
  /** How many of the moves the engines did not choose. */
  readonly openingPlies: number;
  /** The moves that the engines chose. */
  readonly moves: readonly MoveRecord[];
  readonly seconds: number | null;
}

/** Everything there is of a match. */
export interface Match {
  readonly header: MatchHeader;
  readonly games: readonly GameRecord[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const numberOr = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;
const textOr = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reads a whole `match.jsonl`. An unfinished last line, of a match that was interrupted, is left out. */
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
  const settings = isFields(value) && isFields(value.settings) ? value.settings : {};
  if (!isFields(value) || !Array.isArray(settings.engines)) {
    throw new InputError(`${where}: this is not the header of a match; its “engines” are missing.`);
  }
  if (value.format !== 1)
    throw new InputError(`${where}: format ${quote(String(value.format))} is not known; this page reads 1.`);
  return {
    title: textOr(value.title),
    started: textOr(value.started),
    engines: settings.engines.map((engine: unknown) => (isFields(engine) ? textOr(engine.name) : "")),
    board: parseBoard(settings.board, where),
  };
}

/** The board that the settings name. */
function parseBoard(value: unknown, where: string): Board {
  try {
    const board = Board.parse(textOr(value));
    if (board !== null) return board;
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${where}: ${error.message}`) : error;
  }
  throw new InputError(`${where}: the board is ${quote(String(value))} and must be a size like 8x7.`);
}

export function parseGame(value: unknown, board: Board, where: string): GameRecord {
  if (!isFields(value)) throw new InputError(`${where}: a game is expected.`);
  const { first, second } = value;
  if (typeof first !== "string" || typeof second !== "string") {
    throw new InputError(`${where}: the names “first” and “second” of the players are missing.`);
  }
  const result = RESULTS.find((known) => known === value.result);
  if (result === undefined) {
    throw new InputError(
      `${where}: the result is ${quote(String(value.result))} and must be one of ${RESULTS.join(", ")}.`,
    );
  }
  return {
    ...parseMoves(value, board, where),
    first,
    second,
    result,
    reason: textOr(value.reason),
    detail: textOr(value.detail),
  };
}

/** The parts that a game in progress has as well. */
export function parseMoves(
  value: Fields,
  board: Board,
  where: string,
): Pick<GameRecord, "number" | "pair" | "opening" | "line" | "openingPlies" | "moves" | "seconds"> {
  const opening = isFields(value.opening) ? value.opening : {};
  if (!Array.isArray(value.moves)) throw new InputError(`${where}: the “moves” are missing.`);
  const start = Position.empty(board);
  let columns: number[];
  try {
    columns = parseColumns(textOr(opening.moves), start);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${where}, opening: ${error.message}`) : error;
  }
  const openingPlies = columns.length;
  let position = columns.reduce((position, column) => position.play(column), start);
  const moves = value.moves.map((move: unknown, index): MoveRecord => {
    const parsed = parseMove(move, board, `${where}, move ${index + 1}`);
    if (position.isOver) throw new InputError(`${where}, move ${index + 1}: the game is over before it.`);
    if (position.isFull(parsed.column)) {
      throw new InputError(`${where}, move ${index + 1}: column ${parsed.column + 1} is full.`);
    }
    position = position.play(parsed.column);
    return parsed;
  });
  return {
    number: numberOr(value.game) ?? 0,
    pair: numberOr(value.pair) ?? 0,
    opening: textOr(opening.name),
    line: { start, moves: [...columns, ...moves.map((move) => move.column)] },
    openingPlies,
    moves,
    seconds: numberOr(value.seconds),
  };
}

function parseMove(value: unknown, board: Board, where: string): MoveRecord {
  const fields = isFields(value) ? value : {};
  const column = numberOr(fields.column);
  if (column === null || !Number.isInteger(column) || column < 1 || column > board.width) {
    throw new InputError(`${where}: the column is ${quote(String(fields.column))} and must be 1 to ${board.width}.`);
  }
  return {
    column: column - 1,
    milliseconds: numberOr(fields.time_ms),
    clock: numberOr(fields.clock_ms),
    depth: numberOr(fields.depth),
    score: parseScore(fields.score, fields.bound),
    later: [parseScore(fields.lower, "lower"), parseScore(fields.upper, "upper")].filter((score) => score !== null),
    nodes: numberOr(fields.nodes),
    loss: numberOr(fields.loss),
    exact: numberOr(fields.exact),
  };
}

function parseScore(value: unknown, side: unknown): EngineScore | null {
  if (!isFields(value)) return null;
  const cp = numberOr(value.cp);
  const mate = numberOr(value.mate);
  const bound = side === "lower" || side === "upper" ? ({ bound: side } as const) : {};
  if (cp !== null) return { cp, ...bound };
  return mate === null ? null : { mate, ...bound };
}
