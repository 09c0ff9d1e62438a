/** Whatever a person pastes: columns, moves, FEN, PGN or a link. And the same line for the engine. */

import { Board, letterOf } from "./board";
import { quote } from "./fault";
import { isFen, parseFen, toFen } from "./fen";
import { parseLink, type Place } from "./link";
import { parseColumns, parseMove } from "./notation";
import { parsePgn } from "./pgn";
import { emptyLine, type Line, type Position } from "./position";

/** Reads an address of the page, the part of it behind `#` if a place stands in it, `4455@2`, or what `parseAnything` reads. */
export function parsePlace(text: string, board: Board): Place {
  const link = /#(\S+)$/.exec(text.trim())?.[1] ?? /^(?!P@)\S+@\d+$/i.exec(text.trim())?.[0];
  const target = link === undefined ? null : parseLink(link.replace(/^play\//, ""));
  if (target !== null && !("view" in target)) return target;
  const line = parseAnything(text, board);
  return { line, ply: line.moves.length };
}

/**
 * Reads columns in one word, a list of moves, a FEN (with or without `moves` behind it), or the first game of a PGN. Moves
 * alone are on the board that is given, unless a size like `8x7` stands before them.
 */
export function parseAnything(text: string, board: Board = Board.STANDARD): Line {
  const trimmed = text.trim();
  if (trimmed.startsWith("[") || /(^|\s)1\.\s*\S/.test(trimmed)) return parsePgn(trimmed, board)[0]!.line;
  if (isFen(trimmed)) {
    const [fen = "", moves = ""] = trimmed.split(/\smoves(?:\s|$)/);
    const start = parseFen(fen);
    return { start, moves: parseWords(moves, start) };
  }
  const sized = /^(\d+\s*[x×]\s*\d+)(?:\s*:|\s|$)\s*/i.exec(trimmed);
  const named = sized === null ? null : Board.parse(sized[1] ?? "");
  const rest = named === null ? trimmed : trimmed.slice(sized?.[0].length ?? 0);
  const { start } = emptyLine(named ?? board);
  return { start, moves: parseWords(rest.replace(/^(?:position\s+)?startpos(?:\s+moves)?(?:\s|$)/, ""), start) };
}

function parseWords(text: string, start: Position): number[] {
  const { board } = start;
  if (board.hasDigits && /^[\d\s,.]+$/.test(text)) return parseColumns(text, start);
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const [only = ""] = words;
  // A word like d1 is a move, and jjk a list of columns.
  if (words.length === 1 && !board.hasDigits && /^[a-z1-9]{2,}$/.test(only) && !/^[a-z]\d+$/.test(only)) {
    return parseColumns(only, start);
  }
  let position = start;
  return words.map((word, index) => {
    const column = parseMove(word, position, `Move ${index + 1}, ${quote(word)}`);
    position = position.play(column);
    return column;
  });
}

/** The argument of the protocol's `position` for the line up to a ply. */
export function toPositionCommand(line: Line, ply: number): string {
  const start = line.start.stones === 0 ? "startpos" : `fen ${toFen(line.start)}`;
  const moves = line.moves.slice(0, ply).map((column) => ` ${letterOf(column)}`);
  return `position ${start}${moves.length > 0 ? ` moves${moves.join("")}` : ""}`;
}
