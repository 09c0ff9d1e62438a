/** An input that is not what it should be. Its message is one sentence for the reader of the page. */
export class InputError extends Error {}

/** A piece of what was typed, short enough for a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > 24 ? `${line.slice(0, 24)}…` : line}”`;
}
