/** Finds the record of a match among files that were dropped or chosen. */

import { InputError, quote } from "../game/fault";
import { parsePgnRecord } from "./pgn_record";
import { type Match, parseRecord } from "./record";

/** A file, by its name without folders. */
export interface NamedFile {
  readonly name: string;
  text(): Promise<string>;
}

/** Reads the match in these files: a `match.jsonl` rather than a PGN, for it says more. */
export async function openMatch(files: readonly NamedFile[]): Promise<Match> {
  if (files.length === 0) throw new InputError("Nothing was dropped that can be read.");
  const file =
    files.find(({ name }) => name === "match.jsonl") ??
    files.find(({ name }) => name.endsWith(".jsonl")) ??
    files.find(({ name }) => name === "games.pgn") ??
    files.find(({ name }) => /\.pgn$/i.test(name));
  if (file === undefined) {
    const what = files.length === 1 ? quote(files[0]?.name ?? "") : `these ${files.length} files`;
    throw new InputError(`There is no match.jsonl and no .pgn in ${what}.`);
  }
  const text = await file.text();
  if (/\.pgn$/i.test(file.name)) {
    try {
      return parsePgnRecord(text);
    } catch (error) {
      throw error instanceof InputError ? new InputError(`${file.name}: ${error.message}`) : error;
    }
  }
  return parseRecord(text, file.name);
}
