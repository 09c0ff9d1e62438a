/** Sizes of boards, names of columns and cells, lines of four. No other module knows sizes. */

import { InputError } from "./fault";

export type Player = 0 | 1;

/** Number of a cell, column by column from the bottom. */
export type Cell = number;

export const PLAYERS = ["Red", "Yellow"] as const;

export const opponent = (player: Player): Player => (player === 0 ? 1 : 0);
export const letterOf = (column: number): string => String.fromCharCode(97 + column);

const LEAST = 4;
/** Bits of the engine: one per cell and one more per column. */
const BITS = 128;
/** Columns with a single digit. */
const MOST_DIGITS = 9;

/** A board. Each size has one value, so `===` compares boards. */
export class Board {
  static readonly #known = new Map<string, Board>();

  static readonly STANDARD = Board.of(7, 6);

  readonly width: number;
  readonly height: number;
  readonly cells: number;
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

  /** The board of a size. Throws a message for a size that the engine does not support. */
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

  /** The board of `8x7`. Undefined for another form of text. Throws like `of`. */
  static parse(text: string): Board | null {
    const match = /^(\d{1,9})\s*[x×]\s*(\d{1,9})$/i.exec(text.trim());
    return match === null ? null : Board.of(Number(match[1]), Number(match[2]));
  }

  get isStandard(): boolean {
    return this === Board.STANDARD;
  }

  /** Whether a digit names each column. Wider boards have letters. */
  get hasDigits(): boolean {
    return this.width <= MOST_DIGITS;
  }

  cellOf(column: number, row: number): Cell {
    return column * this.height + row;
  }

  columnOf(cell: Cell): number {
    return Math.floor(cell / this.height);
  }

  /** From 0 at the bottom. */
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

/** Why the size is impossible, as the end of a sentence. */
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
