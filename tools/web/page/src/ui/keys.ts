/** Keys that work wherever the focus is, except in fields that take text. */

/** Whether a key goes to the element that has the focus and to nobody else. */
export function isForField(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return target !== null && (target.matches("input, textarea, select") || target.closest("dialog") !== null);
}

/** The column of a digit from 1 to 7; nothing for other keys. */
export function columnOfKey(event: KeyboardEvent): number | null {
  return /^[1-7]$/.test(event.key) ? Number(event.key) - 1 : null;
}

/** The ply that an arrow, Home or End leads to; nothing for other keys. */
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
