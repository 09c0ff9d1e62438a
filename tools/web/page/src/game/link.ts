/** The part of a link behind `#`: a view, or a position with moves and the ply that is looked at. */

import { type Line, Position } from "./board";
import { InputError, quote } from "./fault";
import { parseFen, toRows } from "./fen";
import { parseDigits, toDigits } from "./notation";

export const VIEWS = ["play", "analyse", "watch"] as const;
export type View = (typeof VIEWS)[number];

/** What a link opens. */
export type Target = { readonly view: View } | { readonly line: Line; readonly ply: number };

/** `4455`, `4455@2` for the position after two of the moves, `fen=7/…/3P3&moves=44`; or a view. */
export function parseLink(hash: string): Target | null {
  const text = decode(hash.replace(/^#/, ""));
  if (text === "") return null;
  const view = VIEWS.find((name) => name === text);
  if (view !== undefined) return { view };
  const [body = "", at] = text.split("@", 2);
  const line = parseBody(body);
  if (at === undefined) return { line, ply: line.moves.length };
  if (!/^\d{1,2}$/.test(at) || Number(at) > line.moves.length) {
    throw new InputError(`Link: ${quote(`@${at}`)} is no place among ${line.moves.length} moves.`);
  }
  return { line, ply: Number(at) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    throw new InputError(`Link: ${quote(text)} is not encoded as a link must be.`);
  }
}

function parseBody(body: string): Line {
  try {
    if (!body.startsWith("fen=")) return { start: Position.EMPTY, moves: parseDigits(body) };
    const [fen = "", moves = ""] = body.slice(4).split("&moves=");
    const start = parseFen(fen);
    return { start, moves: parseDigits(moves, start) };
  } catch (error) {
    throw error instanceof InputError ? new InputError(`Link: ${error.message}`) : error;
  }
}

export function toLink(line: Line, ply: number): string {
  const digits = toDigits(line.moves);
  const at = ply === line.moves.length ? "" : `@${ply}`;
  if (line.start.stones === 0) return digits === "" ? "#analyse" : `#${digits}${at}`;
  return `#fen=${toRows(line.start)}${digits === "" ? "" : `&moves=${digits}`}${at}`;
}
