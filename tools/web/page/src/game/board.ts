/** Boards: their sizes, the names of their columns and cells, and the lines of four. The only module that knows sizes. */

import { InputError } from "./fault";

/** 0 moves first in a game, 1 second. */
export type Player = 0 | 1;

/** The number of a cell: the columns from the left, each from the bottom. */
export type Cell = number;

export const PLAYERS = ["Red", "Yellow"] as const;

export const opponent = (player: Player): Player => (player === 0 ? 1 : 0);
export const letterOf = (column: number): string => String.fromCharCode(97 + column);

const LEAST = 4;
/** The engine holds a board in so many bits: one for each cell, and one more for each column. */
const BITS = 128;
/** The most columns that are named by one digit each. */
const MOST_DIGITS = 9;

/** A board of one size; there is one value for each, so that two may be compared by `===`. */
export class Board {
  static readonly #known = new Map<string, Board>();

  /** The usual board, 7x6. */
  static readonly STANDARD = Board.of(7, 6);

  readonly width: number;
  readonly height: number;
  readonly cells: number;
  /** `7x6`, columns by rows. */
  readonly name: string;
  readonly columns: readonly number[];
  #lines: readonly (readonly Cell[])[] | undefined;
  #linesThrough: readonly (readonly (readonly Cell[])[])[] | undefined;

  private constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.cells = width * height;
    this.name = `${width}x${height}`;
    this.columns = Array.from({ length: width }, (_, column) => column);
  }

  /** The board of this size. Fails with a sentence if the engine takes no such board. */
  static of(width: number, height: number): Board {
    const name = `${width}x${height}`;
    const known = Board.#known.get(name);
    if (known !== undefined) return known;
    const fault = faultOfSize(width, height);
    if (fault !== null) throw new InputError(`A board of ${name}: ${fault}.`);
    const board = new Board(width, height);
    Board.#known.set(name, board);
    return board;
  }

  /** The board of a text like `8x7`; nothing if the text is of another form. Fails as `of` does. */
  static parse(text: string): Board | null {
    const match = /^(\d{1,9})\s*[x×]\s*(\d{1,9})$/i.exec(text.trim());
    return match === null ? null : Board.of(Number(match[1]), Number(match[2]));
  }

  get isStandard(): boolean {
    return this === Board.STANDARD;
  }

  /** Whether each column is named by one digit; on wider boards a letter does it. */
  get hasDigits(): boolean {
    return this.width <= MOST_DIGITS;
  }

  cellOf(column: number, row: number): Cell {
    return column * this.height + row;
  }

  columnOf(cell: Cell): number {
    return Math.floor(cell / this.height);
  }

  /** The row of a cell, from 0 at the bottom. */
  rowOf(cell: Cell): number {
    return cell % this.height;
  }

  cellName(cell: Cell): string {
    return `${letterOf(this.columnOf(cell))}${this.rowOf(cell) + 1}`;
  }

  get lines(): readonly (readonly Cell[])[] {
    this.#lines ??= makeLines(this);
    return this.#lines;
  }

  linesThrough(cell: Cell): readonly (readonly Cell[])[] {
    this.#linesThrough ??= gatherLines(this);
    return this.#linesThrough[cell] ?? this.lines;
  }
}

/** Why there is no board of this size, as the end of a sentence; nothing if there is one. */
function faultOfSize(width: number, height: number): string | null {
  if (!(Math.min(width, height) >= LEAST)) return `there must be at least ${LEAST} columns and ${LEAST} rows`;
  if (!Number.isInteger(width) || !Number.isInteger(height)) return "columns and rows must be whole numbers";
  if (width * (height + 1) <= BITS) return null;
  const widest = Math.floor(BITS / (LEAST + 1));
  const rule = `columns times (rows + 1) is ${BITS} at most`;
  if (width > widest) return `there can be ${widest} columns at most; ${rule}`;
  return `with ${width} columns there can be ${Math.floor(BITS / width) - 1} rows at most; ${rule}`;
}

function makeLines(board: Board): Cell[][] {
  const lines: Cell[][] = [];
  const directions = [
    [0, 1],
    [1, 0],
    [1, 1],
    [1, -1],
  ] as const;
  for (const column of board.columns) {
    for (let row = 0; row < board.height; row++) {
      for (const [right, up] of directions) {
        const lastColumn = column + 3 * right;
        const lastRow = row + 3 * up;
        if (lastColumn >= board.width || lastRow >= board.height || lastRow < 0) continue;
        lines.push([0, 1, 2, 3].map((step) => board.cellOf(column + step * right, row + step * up)));
      }
    }
  }
  return lines;
}

function gatherLines(board: Board): (readonly Cell[])[][] {
  const through = Array.from({ length: board.cells }, (): (readonly Cell[])[] => []);
  for (const line of board.lines) for (const cell of line) through[cell]?.push(line);
  return through;
}
