/** Measures of the drawn board, shared by the page and by exported pictures. A cell is 100 units wide. */

import { type Cell, columnOf, HEIGHT, rowOf, WIDTH } from "./board";

export const CELL = 100;
export const RADIUS = 41;
export const RIM = 12;
export const VIEW_BOX = `${-RIM} ${-RIM} ${WIDTH * CELL + 2 * RIM} ${HEIGHT * CELL + 2 * RIM}`;

export const centreX = (cell: Cell): number => columnOf(cell) * CELL + CELL / 2;
export const centreY = (cell: Cell): number => (HEIGHT - 1 - rowOf(cell)) * CELL + CELL / 2;

/** The board as one path: a plate with rounded corners and a hole for each cell. */
export const PLATE = plate();

function plate(): string {
  const width = WIDTH * CELL + 2 * RIM;
  const height = HEIGHT * CELL + 2 * RIM;
  const corner = 26;
  let path = `M${-RIM + corner} ${-RIM}h${width - 2 * corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}v${height - 2 * corner}`;
  path += `a${corner} ${corner} 0 0 1 ${-corner} ${corner}h${-(width - 2 * corner)}a${corner} ${corner} 0 0 1 ${-corner} ${-corner}`;
  path += `v${-(height - 2 * corner)}a${corner} ${corner} 0 0 1 ${corner} ${-corner}z`;
  for (let cell = 0; cell < WIDTH * HEIGHT; cell++) {
    path += `M${centreX(cell) - RADIUS} ${centreY(cell)}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0z`;
  }
  return path;
}
