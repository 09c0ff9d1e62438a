/** The board of 7x6, its rules, and the lines of four. The only module that knows the rules. */

export const WIDTH = 7;
export const HEIGHT = 6;
export const CELLS = WIDTH * HEIGHT;

/** 0 moves first in a game, 1 second. */
export type Player = 0 | 1;

/** The number of a cell: `column * HEIGHT + row`, both from 0, rows from the bottom. */
export type Cell = number;

export const PLAYERS = ["First", "Second"] as const;

export const cellOf = (column: number, row: number): Cell => column * HEIGHT + row;
export const columnOf = (cell: Cell): number => Math.floor(cell / HEIGHT);
export const rowOf = (cell: Cell): number => cell % HEIGHT;
export const letterOf = (column: number): string => String.fromCharCode(97 + column);
/** The name of a cell: a letter and a rank from 1. */
export const cellName = (cell: Cell): string => `${letterOf(columnOf(cell))}${rowOf(cell) + 1}`;
export const opponent = (player: Player): Player => (player === 0 ? 1 : 0);

/** Every line of four, as cells from left to right (upright ones from the bottom). */
export const LINES: readonly (readonly Cell[])[] = makeLines();

function makeLines(): Cell[][] {
  const lines: Cell[][] = [];
  const directions = [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ] as const;
  for (let column = 0; column < WIDTH; column++) {
    for (let row = 0; row < HEIGHT; row++) {
      for (const [right, up] of directions) {
        const lastColumn = column + 3 * right;
        const lastRow = row + 3 * up;
        if (lastColumn >= WIDTH || lastRow >= HEIGHT || lastRow < 0) continue;
        lines.push([0, 1, 2, 3].map((step) => cellOf(column + step * right, row + step * up)));
      }
    }
  }
  return lines;
}

const LINES_THROUGH = Array.from({ length: CELLS }, (_, cell) => LINES.filter((line) => line.includes(cell)));

/** Those of the lines that one player has filled. */
function foursAmong(lines: readonly (readonly Cell[])[], cells: readonly (Player | null)[]): (readonly Cell[])[] {
  return lines.filter((line) => {
    const player = cells[line[0] ?? 0];
    return player !== null && line.every((cell) => cells[cell] === player);
  });
}

/** A position; it never changes. */
export class Position {
  static readonly EMPTY = new Position(Array<Player | null>(CELLS).fill(null));

  readonly cells: readonly (Player | null)[];
  /** Stones in each column. */
  readonly heights: readonly number[];
  readonly stones: number;
  /** Who is to move, also when the game is over. */
  readonly turn: Player;

  /** The only lines that there may be four in: all, or those through the last stone. */
  readonly #lines: readonly (readonly Cell[])[];

  /** Takes cells that `faultOf` finds no fault with; `last` is the last stone, if there was no four in a row before it. */
  constructor(cells: readonly (Player | null)[], last: Cell | null = null) {
    this.cells = cells;
    this.#lines = last === null ? LINES : (LINES_THROUGH[last] ?? LINES);
    this.heights = Array.from({ length: WIDTH }, (_, column) => {
      let height = 0;
      while (height < HEIGHT && cells[cellOf(column, height)] !== null) height++;
      return height;
    });
    this.stones = this.heights.reduce((sum, height) => sum + height, 0);
    this.turn = this.stones % 2 === 0 ? 0 : 1;
  }

  height(column: number): number {
    return this.heights[column] ?? HEIGHT;
  }

  /** Whether the game goes on and the column has room. */
  canPlay(column: number): boolean {
    return this.height(column) < HEIGHT && !this.isOver;
  }

  /** The cell where a stone in this column lands. */
  landing(column: number): Cell {
    return cellOf(column, this.height(column));
  }

  /** The position after a legal move. */
  play(column: number): Position {
    const cells = [...this.cells];
    const last = this.landing(column);
    cells[last] = this.turn;
    return new Position(cells, this.isWon ? null : last);
  }

  #winning: readonly Cell[] | undefined;

  /** The cells of all lines of four on the board; none if nobody has won. */
  get winningCells(): readonly Cell[] {
    this.#winning ??= [...new Set(foursAmong(this.#lines, this.cells).flat())];
    return this.#winning;
  }

  get isWon(): boolean {
    return this.winningCells.length > 0;
  }

  get isOver(): boolean {
    return this.stones === CELLS || this.isWon;
  }

  /** The winner; nothing if the game is drawn or goes on. */
  get winner(): Player | null {
    const cell = this.winningCells[0];
    return cell === undefined ? null : (this.cells[cell] ?? null);
  }

  /** Columns where a stone can be dropped. */
  get legalColumns(): number[] {
    return Array.from({ length: WIDTH }, (_, column) => column).filter((column) => this.canPlay(column));
  }
}

/** The lines of four that a player has. */
export function fours(cells: readonly (Player | null)[], player: Player): (readonly Cell[])[] {
  return foursAmong(LINES, cells).filter((line) => cells[line[0] ?? 0] === player);
}

/** Why these cells are no position of a game, as the end of a sentence; nothing if they are one. */
export function faultOf(cells: readonly (Player | null)[]): string | null {
  for (let column = 0; column < WIDTH; column++) {
    for (let row = 1; row < HEIGHT; row++) {
      if (cells[cellOf(column, row)] !== null && cells[cellOf(column, row - 1)] === null) {
        return `the stone on ${cellName(cellOf(column, row))} has nothing under it`;
      }
    }
  }
  const first = cells.filter((cell) => cell === 0).length;
  const second = cells.filter((cell) => cell === 1).length;
  if (first !== second && first !== second + 1) {
    return `the first player has ${first} stones and the second ${second}; there must be as many, or one more of the first`;
  }
  const mover: Player = first === second ? 0 : 1;
  if (fours(cells, mover).length > 0) {
    return `the ${PLAYERS[mover].toLowerCase()} player is to move but has four in a row already`;
  }
  return null;
}

/** A game: where it began and the columns played since. */
export interface Line {
  readonly start: Position;
  readonly moves: readonly number[];
}

export const EMPTY_LINE: Line = { start: Position.EMPTY, moves: [] };

/** The positions of a line, from its start to its end. */
export function positionsOf(line: Line): Position[] {
  const positions = [line.start];
  let position = line.start;
  for (const column of line.moves) {
    position = position.play(column);
    positions.push(position);
  }
  return positions;
}
