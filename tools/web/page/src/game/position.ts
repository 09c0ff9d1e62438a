/** Positions, games and rules. No other module knows the rules. */

import { Board, type Cell, type Player, PLAYERS } from "./board";

export type Cells = readonly (Player | null)[];

function foursAmong(lines: readonly (readonly Cell[])[], cells: Cells): (readonly Cell[])[] {
  return lines.filter((line) => {
    const player = cells[line[0] ?? 0];
    return player !== null && line.every((cell) => cells[cell] === player);
  });
}

export class Position {
  static readonly #empty = new Map<Board, Position>();

  static empty(board: Board = Board.STANDARD): Position {
    const known = Position.#empty.get(board);
    if (known !== undefined) return known;
    const position = new Position(board, Array<Player | null>(board.cells).fill(null));
    Position.#empty.set(board, position);
    return position;
  }

  readonly board: Board;
  readonly cells: Cells;
  readonly heights: readonly number[];
  readonly stones: number;
  /** Also after the end of the game. */
  readonly turn: Player;

  /** Lines that may have four: all lines, or the lines through the last stone. */
  readonly #lines: readonly (readonly Cell[])[];

  /** `cells` must pass `faultOf`. `last`: the last stone, if nobody had won before. */
  constructor(board: Board, cells: Cells, last: Cell | null = null) {
    this.board = board;
    this.cells = cells;
    this.#lines = last === null ? board.lines : board.linesThrough(last);
    this.heights = board.columns.map((column) => heightIn(board, cells, column));
    this.stones = this.heights.reduce((sum, height) => sum + height, 0);
    this.turn = this.stones % 2 === 0 ? 0 : 1;
  }

  height(column: number): number {
    return this.heights[column] ?? this.board.height;
  }

  isFull(column: number): boolean {
    return this.height(column) >= this.board.height;
  }

  canPlay(column: number): boolean {
    return !this.isFull(column) && !this.isOver;
  }

  landing(column: number): Cell {
    return this.board.cellOf(column, this.height(column));
  }

  play(column: number): Position {
    const cells = [...this.cells];
    const last = this.landing(column);
    cells[last] = this.turn;
    return new Position(this.board, cells, this.isWon ? null : last);
  }

  #winning: readonly Cell[] | undefined;

  get winningCells(): readonly Cell[] {
    this.#winning ??= [...new Set(foursAmong(this.#lines, this.cells).flat())];
    return this.#winning;
  }

  get isWon(): boolean {
    return this.winningCells.length > 0;
  }

  get isOver(): boolean {
    return this.stones === this.board.cells || this.isWon;
  }

  /** Undefined for a draw or an unfinished game. */
  get winner(): Player | null {
    const cell = this.winningCells[0];
    return cell === undefined ? null : (this.cells[cell] ?? null);
  }

  get legalColumns(): number[] {
    return this.board.columns.filter((column) => this.canPlay(column));
  }
}

export function heightIn(board: Board, cells: Cells, column: number): number {
  let height = 0;
  while (height < board.height && cells[board.cellOf(column, height)] !== null) height++;
  return height;
}

/** Why the stones are impossible in a game, as the end of a sentence, or null. */
export function faultOf(board: Board, cells: Cells): string | null {
  const first = cells.filter((cell) => cell === 0).length;
  const second = cells.filter((cell) => cell === 1).length;
  if (first !== second && first !== second + 1) {
    return `red has ${first} stones and yellow ${second}; there must be as many, or one more of red`;
  }
  const mover: Player = first === second ? 0 : 1;
  if (foursAmong(board.lines, cells).some((line) => cells[line[0] ?? 0] === mover)) {
    return `${PLAYERS[mover].toLowerCase()} is to move but has four in a row already`;
  }
  return null;
}

export interface Line {
  readonly start: Position;
  readonly moves: readonly number[];
}

export const emptyLine = (board: Board = Board.STANDARD): Line => ({ start: Position.empty(board), moves: [] });

export function positionsOf(line: Line): Position[] {
  const positions = [line.start];
  let position = line.start;
  for (const column of line.moves) {
    position = position.play(column);
    positions.push(position);
  }
  return positions;
}
