/** Measures of the board, for the page and for pictures. A cell is 100 units wide. */

import { type Board, type Cell } from "./board";

export const CELL = 100;
export const RADIUS = 41;
export const RIM = 12;

const CORNER = 26;
const known = new Map<Board, Geometry>();

export const fallTime = (board: Board, cell: Cell): number =>
  Math.round(110 + 170 * Math.sqrt(board.height - board.rowOf(cell)));

export function geometryOf(board: Board): Geometry {
  const geometry = known.get(board) ?? new Geometry(board);
  known.set(board, geometry);
  return geometry;
}

export class Geometry {
  readonly board: Board;
  readonly innerWidth: number;
  readonly innerHeight: number;
  readonly width: number;
  readonly height: number;
  readonly viewBox: string;
  readonly plate: string;

  constructor(board: Board) {
    this.board = board;
    this.innerWidth = board.width * CELL;
    this.innerHeight = board.height * CELL;
    this.width = this.innerWidth + 2 * RIM;
    this.height = this.innerHeight + 2 * RIM;
    this.viewBox = `${-RIM} ${-RIM} ${this.width} ${this.height}`;
    this.plate = this.#outline() + Array.from({ length: board.cells }, (_, cell) => this.#hole(cell)).join("");
  }

  centreX(cell: Cell): number {
    return this.board.columnOf(cell) * CELL + CELL / 2;
  }

  centreY(cell: Cell): number {
    return (this.board.height - 1 - this.board.rowOf(cell)) * CELL + CELL / 2;
  }

  #outline(): string {
    const across = this.width - 2 * CORNER;
    const down = this.height - 2 * CORNER;
    const turn = (x: number, y: number): string => `a${CORNER} ${CORNER} 0 0 1 ${x * CORNER} ${y * CORNER}`;
    const upper = `M${CORNER - RIM} ${-RIM}h${across}${turn(1, 1)}v${down}`;
    return `${upper}${turn(-1, 1)}h${-across}${turn(-1, -1)}v${-down}${turn(1, -1)}z`;
  }

  #hole(cell: Cell): string {
    const half = (way: number): string => `a${RADIUS} ${RADIUS} 0 1 0 ${way} 0`;
    return `M${this.centreX(cell) - RADIUS} ${this.centreY(cell)}${half(2 * RADIUS)}${half(-2 * RADIUS)}z`;
  }
}
