/** The command of a line, found as the protocol finds it. */

/** The first words of commands, as `protocol/src/command.rs` has them. */
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

/** Commands at the beginning of a line only: further on, these words belong to another command, as in `position startpos moves d`. */
export const FIRST_COMMANDS: ReadonlySet<string> = new Set(["moves", "d"]);

/** The words of a line from its command on; words before that are skipped. Empty for a line without a command. */
export function commandOf(line: string): string[] {
  // The blanks of the protocol; `\s` has others, which belong to words there.
  const words = line.match(/[^ \t\r\n]+/g) ?? [];
  const at = words.findIndex((word, index) => COMMANDS.has(word) || (index === 0 && FIRST_COMMANDS.has(word)));
  return at < 0 ? [] : words.slice(at);
}
