/** Keys for the whole page, except in dialogs and text fields. */

import { type Board } from "../game/board";

/** Whether a key belongs to the focused element. */
export function isForField(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    target !== null &&
    (target.matches("input:not([type=checkbox]), textarea, select") || target.closest("dialog") !== null)
  );
}

/** The column of a digit, or of a letter with Shift. */
export function columnOfKey(event: KeyboardEvent, board: Board): number | null {
  let column = -1;
  if (/^[1-9]$/.test(event.key)) column = Number(event.key) - 1;
  else if (event.shiftKey && /^[A-Z]$/.test(event.key)) column = event.key.charCodeAt(0) - 65;
  return column >= 0 && column < board.width ? column : null;
}

/** The ply after an arrow key, Home or End. */
export function plyOfKey(event: KeyboardEvent, ply: number, last: number): number | null {
  switch (event.key) {
    case "ArrowLeft":
      return Math.max(0, ply - 1);
    case "ArrowRight":
      return Math.min(last, ply + 1);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
