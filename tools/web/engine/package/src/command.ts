/** The command of a line, by the rules of the protocol. */

/** First words of commands, from `protocol/src/command.rs`. */
export const COMMANDS: ReadonlySet<string> = new Set([
  "uci",
  "ugi",
  "isready",
  "ucinewgame",
  "uginewgame",
  "stop",
  "ponderhit",
  "display",
  "eval",
  "wait",
  "help",
  "quit",
  "go",
  "position",
  "setoption",
  "debug",
  "query",
  "perft",
  "bench",
]);

/** Commands only at the beginning of a line. Compare `position startpos moves d`. */
export const FIRST_COMMANDS: ReadonlySet<string> = new Set(["moves", "d"]);

/** The words of a line from its command on. Empty without a command. */
export function commandOf(line: string): string[] {
  // The blanks of the protocol. `\s` matches more characters.
  const words = line.match(/[^ \t\r\n]+/g) ?? [];
  const at = words.findIndex((word, index) => COMMANDS.has(word) || (index === 0 && FIRST_COMMANDS.has(word)));
  return at < 0 ? [] : words.slice(at);
}
