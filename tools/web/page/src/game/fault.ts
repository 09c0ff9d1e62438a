/** An input that is not what it should be. Its message is one sentence for the reader of the page. */
export class InputError extends Error {}

/** Does something; a message of a wrong input gets the place before it. */
export function at<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
  }
}

/** A piece of what was typed, short enough for a sentence. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > 24 ? `${line.slice(0, 24)}…` : line}”`;
}
