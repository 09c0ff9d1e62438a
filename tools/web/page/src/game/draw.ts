/** A position as an SVG file, and in words. */

import { type Position, WIDTH, HEIGHT, cellOf } from "./board";
import { centreX, centreY, PLATE, RADIUS, VIEW_BOX } from "./geometry";

const COLOURS = {
  plate: "#41608c",
  hole: "#ece8e0",
  first: "#d1472f",
  second: "#f4c542",
  ring: "#7a5800",
  line: "#ffffff",
};

/** An SVG that stands alone. The winning line is marked by white rings. */
export function toSvg(position: Position): string {
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${VIEW_BOX}" width="724" height="624">`,
    `<title>${inWords(position)}</title>`,
    `<path d="${PLATE}" fill="${COLOURS.plate}" fill-rule="evenodd"/>`,
  ];
  position.cells.forEach((player, cell) => {
    const at = `cx="${centreX(cell)}" cy="${centreY(cell)}"`;
    if (player === null) {
      parts.push(`<circle ${at} r="${RADIUS}" fill="${COLOURS.hole}"/>`);
    } else if (player === 0) {
      parts.push(`<circle ${at} r="${RADIUS}" fill="${COLOURS.first}"/>`);
    } else {
      parts.push(`<circle ${at} r="${RADIUS}" fill="${COLOURS.second}"/>`);
      parts.push(`<circle ${at} r="22" fill="none" stroke="${COLOURS.ring}" stroke-width="8"/>`);
    }
  });
  for (const cell of position.winningCells) {
    parts.push(
      `<circle cx="${centreX(cell)}" cy="${centreY(cell)}" r="36" fill="none" stroke="${COLOURS.line}" stroke-width="9"/>`,
    );
  }
  return `${parts.join("\n")}\n</svg>\n`;
}

/** The stones column by column, from the bottom: “column 4: first, second”. */
export function inWords(position: Position): string {
  if (position.stones === 0) return "The empty board";
  const columns: string[] = [];
  for (let column = 0; column < WIDTH; column++) {
    const stones: string[] = [];
    for (let row = 0; row < HEIGHT; row++) {
      const player = position.cells[cellOf(column, row)];
      if (player === 0 || player === 1) stones.push(player === 0 ? "first" : "second");
    }
    if (stones.length > 0) columns.push(`column ${column + 1}: ${stones.join(", ")}`);
  }
  return `Board, each column from the bottom. ${columns.join("; ")}`;
}
