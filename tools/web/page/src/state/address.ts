/** Writes the part of the address after `#`. Safari refuses more than 100 changes in 30 seconds. */

/** Changes without a pause, and milliseconds until another change is free. */
const MOST = 30;
const PAUSE = 500;

let changes: number[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let pending: (() => void) | null = null;

/** Replaces the link in the address: immediately, or soon after many changes. */
export function showLink(hash: string, state: unknown = null): void {
  forgetLink();
  if (location.hash === hash && location.search === "" && history.state === state) return;
  pending = () => history.replaceState(state, "", `${location.search === "" ? "" : location.pathname}${hash}`);
  const wait = (changes.at(-MOST) ?? -Infinity) + MOST * PAUSE - performance.now();
  if (wait <= 0) writeLink();
  else timer = setTimeout(writeLink, Math.min(wait, PAUSE));
}

export function writeLink(): void {
  pending?.();
  if (pending !== null) changes = [...changes.slice(-MOST), performance.now()];
  forgetLink();
}

/** Drops the waiting link, because the address has changed. */
export function forgetLink(): void {
  clearTimeout(timer);
  pending = null;
}
