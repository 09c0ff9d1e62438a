/** Small settings that the browser keeps. It may refuse to; then they last as long as the page. */

const PREFIX = "plumb-";

export function load(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function save(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Private windows and pages from files may have no storage.
  }
}
