/** Whatever a person pastes: digits, moves, FEN or PGN. And the same line for the engine. */

import { type Line, Position } from "./board";
import { quote } from "./fault";
import { isFen, parseFen, toFen } from "./fen";
import { parseDigits, parseMove, toDigits } from "./notation";
import { parsePgn } from "./pgn";

/** Reads digits, a list of moves, a FEN (with or without `moves` behind it), or the first game of a PGN. */
export function parseAnything(text: string): Line {
  const trimmed = text.trim();
  if (trimmed === "") return { start: Position.EMPTY, moves: [] };
  if (trimmed.startsWith("[") || /(^|\s)1\.\s*\S/.test(trimmed)) return parsePgn(trimmed)[0]!.line;
  if (isFen(trimmed)) {
    const [fen = "", moves = ""] = trimmed.split(/\smoves(?:\s|$)/);
    const start = parseFen(fen);
    return { start, moves: parseWords(moves, start) };
  }
  const words = trimmed.replace(/^(?:position\s+)?startpos(?:\s+moves)?(?:\s|$)/, "");
  if (/^[\d\s,.]+$/.test(words)) return { start: Position.EMPTY, moves: parseDigits(words) };
  return { start: Position.EMPTY, moves: parseWords(words, Position.EMPTY) };
}

function parseWords(text: string, start: Position): number[] {
  let position = start;
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 1 && /^\d+$/.test(words[0] ?? "")) return parseDigits(words[0] ?? "", start);
  return words.map((word, index) => {
    const column = parseMove(word, position, `Move ${index + 1}, ${quote(word)}`);
    position = position.play(column);
    return column;
  });
}

/** The argument of the protocol's `position` for the line up to a ply. */
export function toPositionCommand(line: Line, ply: number): string {
  const moves = toDigits(line.moves.slice(0, ply));
  if (line.start.stones === 0) return moves === "" ? "position startpos" : `position ${moves}`;
  const tail = line.moves.slice(0, ply).map((column) => ` ${column + 1}`);
  return `position fen ${toFen(line.start)}${tail.length > 0 ? ` moves${tail.join("")}` : ""}`;
}
