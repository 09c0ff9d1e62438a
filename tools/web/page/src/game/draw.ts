import { PLAYERS } from "./board";
import { geometryOf, RADIUS } from "./geometry";
import { type Position } from "./position";

const COLOURS = {
  plate: "#41608c",
  hole: "#ece8e0",
  first: "#d1472f",
  second: "#f4c542",
  ring: "#7a5800",
  line: "#ffffff",
};

/** A complete SVG file. White rings mark the winning line. */
export function toSvg(position: Position): string {
  const geometry = geometryOf(position.board);
  const { viewBox, width, height, plate } = geometry;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${width}" height="${height}">`,
    `<title>${inWords(position)}</title>`,
    `<path d="${plate}" fill="${COLOURS.plate}" fill-rule="evenodd"/>`,
  ];
  position.cells.forEach((player, cell) => {
    const at = `cx="${geometry.centreX(cell)}" cy="${geometry.centreY(cell)}"`;
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
    const at = `cx="${geometry.centreX(cell)}" cy="${geometry.centreY(cell)}"`;
    parts.push(`<circle ${at} r="36" fill="none" stroke="${COLOURS.line}" stroke-width="9"/>`);
  }
  return `${parts.join("\n")}\n</svg>\n`;
}

/** “column 4: red, yellow”, from the bottom. */
export function inWords(position: Position): string {
  const { board, cells } = position;
  const size = board.isStandard ? "" : ` of ${board.width} columns and ${board.height} rows`;
  if (position.stones === 0) return `The empty board${size}`;
  const columns: string[] = [];
  for (const column of board.columns) {
    const stones = cells
      .slice(board.cellOf(column, 0), board.cellOf(column, position.height(column)))
      .map((player) => PLAYERS[player ?? 0].toLowerCase());
    if (stones.length > 0) columns.push(`column ${column + 1}: ${stones.join(", ")}`);
  }
  return `Board${size}, each column from the bottom. ${columns.join("; ")}`;
}
