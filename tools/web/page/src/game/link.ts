/** The part of a link after `#`. */

import { at, InputError, quote } from "./fault";
import { toRows } from "./fen";
import { toColumns } from "./notation";
import { type Line } from "./position";
import { readLine } from "./reader";

export const VIEWS = ["play", "analyse", "watch"] as const;
export type View = (typeof VIEWS)[number];

export interface Place {
  readonly line: Line;
  readonly ply: number;
}

/** Target of a link: a view, optionally with a game to play or the number of a game to watch, from 1. */
export type Target =
  Place | { readonly view: View; readonly line?: Line; readonly game?: number; readonly ply?: number };

/**
 * - `4455`, `4455@2` (after two moves), `8x7:4455`, `fen=7/…/3P3&moves=44`: a game to analyse
 * - `play/4455`: a game to continue
 * - `watch/17/9`: game 17 after 9 moves
 * - the name of a view
 */
export function parseLink(hash: string): Target | null {
  const text = decode(hash.replace(/^#/, ""));
  if (text === "") return null;
  const view = VIEWS.find((name) => name === text);
  if (view !== undefined) return { view };
  if (text.startsWith("play/")) return { view: "play", line: parseBody(text.slice(5)) };
  const watched = /^watch\/(\d{1,7})(?:\/(\d{1,3}))?$/.exec(text);
  if (watched !== null) {
    const ply = watched[2] === undefined ? {} : { ply: Number(watched[2]) };
    return { view: "watch", game: Number(watched[1]), ...ply };
  }
  const [body = "", place] = text.split("@", 2);
  const line = parseBody(body);
  if (place === undefined) return { line, ply: line.moves.length };
  if (!/^\d{1,3}$/.test(place) || Number(place) > line.moves.length) {
    throw new InputError(`Link: ${quote(`@${place}`)} is no place among ${line.moves.length} moves.`);
  }
  return { line, ply: Number(place) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    throw new InputError(`Link: ${quote(text)} is not encoded as a link must be.`);
  }
}

export const parseBody = (body: string): Line =>
  at("Link", () => readLine(body.replace(/^fen=/, "").replace("&moves=", " moves ")));

/** A game in one word. The empty 7x6 board is the empty word. */
export function toBody({ start, moves }: Line): string {
  const columns = toColumns(moves, start.board);
  if (start.stones > 0) return `fen=${toRows(start)}${columns === "" ? "" : `&moves=${columns}`}`;
  return start.board.isStandard ? columns : `${start.board.name}${columns === "" ? "" : `:${columns}`}`;
}

export function toLink(line: Line, ply: number): string {
  return `#${toBody(line) || "analyse"}${ply === line.moves.length ? "" : `@${ply}`}`;
}

/** A game to continue. `#play/` is a new game, `#play` the current game. */
export const toPlayLink = (line: Line): string => `#play/${toBody(line)}`;
