/** The part of the address after `#`, as the views write it. Safari refuses more than 100 changes in 30 seconds. */

/** Least number of milliseconds between two changes. */
const PAUSE = 400;

let last = -PAUSE;
let timer: ReturnType<typeof setTimeout> | undefined;
let pending: (() => void) | null = null;

/** Shows a link in the address, in place of the present one: immediately, or soon after the change before. */
export function showLink(hash: string, state: unknown = null): void {
  forgetLink();
  if (location.hash === hash && location.search === "" && history.state === state) return;
  pending = () => history.replaceState(state, "", `${location.search === "" ? "" : location.pathname}${hash}`);
  timer = setTimeout(writeLink, Math.max(0, last + PAUSE - performance.now()));
  if (performance.now() - last >= PAUSE) writeLink();
}

/** Writes the link that waits. */
export function writeLink(): void {
  if (pending === null) return;
  pending();
  last = performance.now();
  forgetLink();
}

/** Drops the link that waits: the address is another one now. */
export function forgetLink(): void {
  clearTimeout(timer);
  pending = null;
}
