/** Wrong input. The message is a sentence for the reader of the page. */
export class InputError extends Error {}

/** Adds the place to the message of a fault. */
export function at<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
  }
}

/** Typed text, shortened for a message. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `“${line.length > 24 ? `${line.slice(0, 24)}…` : line}”`;
}
