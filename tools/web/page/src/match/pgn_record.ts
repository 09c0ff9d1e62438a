import { Board } from "../game/board";
import { parsePgn, type PgnGame } from "../game/pgn";
import { positionsOf } from "../game/position";
import type { EngineScore, GameRecord, Match, MoveRecord, Result } from "./record";

export function parsePgnRecord(text: string): Match {
  const read = parsePgn(text);
  const games = read.map(toGame);
  const names = [...new Set(games.flatMap((game) => [game.first, game.second]))];
  const tags = read[0]?.tags ?? {};
  const header = {
    title: tags.Event ?? "",
    started: (tags.Date ?? "").replaceAll(".", "-").replace(/^\?.*/, ""),
    engines: names,
    settings: [],
    board: read[0]?.line.start.board ?? Board.STANDARD,
  };
  return { header, games };
}

function toGame(game: PgnGame, index: number): GameRecord {
  const openingPlies = game.comments.findIndex((comment) => !/^book\b/.test(comment));
  const from = openingPlies < 0 ? game.line.moves.length : openingPlies;
  const last = positionsOf(game.line).at(-1);
  const ending = last?.isWon ? "four_in_a_row" : last?.isOver ? "full_board" : "";
  const termination = game.tags.Termination ?? "";
  return {
    number: index,
    pair: Math.max(0, (Number.parseInt(game.tags.Round ?? "", 10) || 1) - 1),
    first: game.tags.White ?? "First",
    second: game.tags.Black ?? "Second",
    result: toResult(game.result),
    reason: termination === "" || termination === "normal" ? ending : termination.replaceAll(" ", "_"),
    detail: "",
    opening: game.tags.Opening ?? "",
    line: game.line,
    openingPlies: from,
    moves: game.line.moves.slice(from).map((column, ply) => toMove(column, game.comments[from + ply] ?? "")),
    seconds: null,
  };
}

function toResult(text: string): Result {
  return text === "1-0" || text === "0-1" || text === "1/2-1/2" ? text : "*";
}

/**
 * Reads `+0.30/12 0.051s, clock 1.95s, lower bound +M9` or a part. `lower bound` without a number belongs to the score.
 */
function toMove(column: number, comment: string): MoveRecord {
  const match =
    /^(?:([+-]?(?:M\d+|\d+(?:\.\d+)?)(?![\d.s])))?(?:\/(\d+))?\s*(?:(\d+(?:\.\d+)?)s)?(?:.*?clock (-?[\d.]+)s)?/.exec(
      comment,
    );
  const number = (text: string | undefined, factor: number) => (text === undefined ? null : Number(text) * factor);
  return {
    column,
    milliseconds: number(match?.[3], 1000),
    clock: number(match?.[4], 1000),
    depth: number(match?.[2], 1),
    score: toScore(match?.[1], /, (lower|upper) bound(?=,|$)/.exec(comment)?.[1]),
    later: [...comment.matchAll(/, (lower|upper) bound ([^,\s]+)/g)]
      .map(([, side, text]) => toScore(text, side))
      .filter((score) => score !== null),
    nodes: null,
    loss: null,
    exact: null,
  };
}

function toScore(text: string | undefined, side: string | undefined): EngineScore | null {
  if (text === undefined) return null;
  const mate = /^([+-]?)M(\d+)$/.exec(text);
  const bound = side === "lower" || side === "upper" ? ({ bound: side } as const) : {};
  if (mate !== null) return { mate: (mate[1] === "-" ? -1 : 1) * Number(mate[2]), ...bound };
  return { cp: Math.round(Number(text) * 100), ...bound };
}
