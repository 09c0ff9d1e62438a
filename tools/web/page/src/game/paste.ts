/** Pasted text: any form that the engine reads, a PGN, a link, or the address of a solver. */

import { Board } from "./board";
import { parseLink, type Place } from "./link";
import { parsePgn, type PgnGame } from "./pgn";
import { readLine } from "./reader";

/** Moves of `https://connect4.gamesolver.org/?pos=4455` or `…/solve/connect4?position=4455`. */
export const movesOfAddress = (address: string): string | undefined => /[?&]pos(?:ition)?=([^&#]*)/.exec(address)?.[1];

/** Reads a place in a game, or the games of a PGN. `board`: for moves without a size. */
export function parsePlace(text: string, board: Board): Place | readonly PgnGame[] {
  const trimmed = text.trim();
  if (trimmed.startsWith("[") || /(^|\s)1\.\s*\S/.test(trimmed)) return parsePgn(trimmed, board);
  const link = /#(\S+)$/.exec(trimmed)?.[1] ?? /^(?!P@)\S+@\d+$/i.exec(trimmed)?.[0];
  const target = link === undefined ? null : parseLink(link.replace(/^play\//, ""));
  if (target !== null && !("view" in target)) return target;
  const moves = movesOfAddress(trimmed);
  const line = moves === undefined ? readLine(trimmed, board) : readLine(moves);
  return { line, ply: line.moves.length };
}
