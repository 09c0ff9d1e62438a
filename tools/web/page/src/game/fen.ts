/** FEN of the variant `cfour`, and the command `position`. */

import { letterOf } from "./board";
import { type Line, type Position } from "./position";

export function toRows(position: Position): string {
  const { board } = position;
  const rows: string[] = [];
  for (let row = board.height - 1; row >= 0; row--) {
    let text = "";
    let gap = 0;
    for (const column of board.columns) {
      const player = position.cells[board.cellOf(column, row)] ?? null;
      if (player === null) {
        gap += 1;
        continue;
      }
      text += `${gap > 0 ? gap : ""}${player === 0 ? "P" : "p"}`;
      gap = 0;
    }
    rows.push(text + (gap > 0 ? String(gap) : ""));
  }
  return rows.join("/");
}

export function toFen(position: Position): string {
  const { cells } = position.board;
  const second = Math.floor(position.stones / 2);
  const first = position.stones - second;
  const pocket = "P".repeat(Math.ceil(cells / 2) - first) + "p".repeat(Math.floor(cells / 2) - second);
  return `${toRows(position)}[${pocket}] ${position.turn === 0 ? "w" : "b"} - - 0 ${second + 1}`;
}

export function toPositionCommand(line: Line, ply: number): string {
  const start = line.start.stones === 0 ? "startpos" : `fen ${toFen(line.start)}`;
  const moves = line.moves.slice(0, ply).map((column) => ` ${letterOf(column)}`);
  return `position ${start}${moves.length > 0 ? ` moves${moves.join("")}` : ""}`;
}
