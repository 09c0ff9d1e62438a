import { at, InputError, quote } from "../game/fault";
import { parsePgnRecord } from "./pgn_record";
import { type Match, parseJson, parseRecord } from "./record";
import { parseSummary, type Summary } from "./summary";

export interface NamedFile {
  readonly name: string;
  text(): Promise<string>;
}

/** A match from files, with its figures if present. */
export interface OpenedMatch extends Match {
  readonly summary: Summary | null;
}

/** Reads a `match.jsonl` or, with less information, a PGN. */
export async function openMatch(files: readonly NamedFile[]): Promise<OpenedMatch> {
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
    return { ...at(file.name, () => parsePgnRecord(text)), summary: null };
  }
  const match = parseRecord(text, file.name);
  return { ...match, summary: await summaryOf(match, files) };
}

/** The figures, unless they miss games of the record, as after a kill. */
async function summaryOf(match: Match, files: readonly NamedFile[]): Promise<Summary | null> {
  const file = files.find(({ name }) => name === "summary.json");
  if (file === undefined) return null;
  const summary = parseSummary(parseJson(await file.text(), file.name));
  return summary.games.played === match.games.length ? summary : null;
}
