/** Values that the browser keeps, for all tabs or one tab. Without storage they last as long as the page. */

const PREFIX = "plumb-";
type Kind = "localStorage" | "sessionStorage";

export function load(name: string, kind: Kind = "localStorage"): string | null {
  try {
    return window[kind].getItem(PREFIX + name);
  } catch {
    return null;
  }
}

export function save(name: string, value: string, kind: Kind = "localStorage"): void {
  try {
    window[kind].setItem(PREFIX + name, value);
  } catch {
    // Private windows and pages from disk may lack storage.
  }
}

export function onSave(name: string, action: () => void): void {
  addEventListener("storage", ({ key }) => key === PREFIX + name && action());
}
