/** The events of a match that runs: a header, games that ended, games in progress, figures. */

import { Board } from "../game/board";
import { InputError } from "../game/fault";
import { type GameRecord, type MatchHeader, parseGame, parseHeader, parseMoves } from "./record";
import { parseSummary, type Summary } from "./summary";

/** A game in progress. */
export interface LiveGame extends Pick<
  GameRecord,
  "number" | "pair" | "opening" | "line" | "openingPlies" | "moves" | "seconds"
> {
  readonly first: string;
  readonly second: string;
  readonly clocks: readonly [number | null, number | null];
  readonly turn: 0 | 1;
  /** When it came, by the page's clock, in milliseconds. */
  readonly received: number;
}

export interface LiveListener {
  header(header: MatchHeader): void;
  record(game: GameRecord): void;
  live(game: LiveGame): void;
  summary(summary: Summary): void;
  end(): void;
  /** The connection is lost; it is tried again and again. */
  lost(): void;
  fault(message: string): void;
}

/** Milliseconds until a connection that the browser gave up is tried again. */
const RETRY = 2000;

/** Reads a game in progress on the board that the header names. */
export function parseLive(value: unknown, board: Board): LiveGame {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const clocks = Array.isArray(fields.clocks) ? fields.clocks : [];
  const clock = (value: unknown): number | null => (typeof value === "number" ? value : null);
  return {
    ...parseMoves(fields, board, "Live game"),
    first: String(fields.first ?? ""),
    second: String(fields.second ?? ""),
    clocks: [clock(clocks[0]), clock(clocks[1])],
    turn: fields.turn === "second" ? 1 : 0,
    received: performance.now(),
  };
}

/** Listens to the events at an address, and goes on after interruptions, until the end of the match. */
export function listen(address: string, listener: LiveListener): () => void {
  const source = new EventSource(address);
  let again: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => source.close();
  source.onerror = () => {
    listener.lost();
    // A browser gives up where the server answers with something else, as one does that has too many spectators.
    if (source.readyState === EventSource.CLOSED) again ??= setTimeout(() => (stop = listen(address, listener)), RETRY);
  };
  let board = Board.STANDARD;
  const on = (name: string, take: (value: unknown) => void): void =>
    source.addEventListener(name, (event: MessageEvent<string>) => {
      try {
        take(JSON.parse(event.data));
      } catch (error) {
        listener.fault(error instanceof InputError ? error.message : `Live event “${name}”: it is not JSON.`);
      }
    });
  // The header comes before all games.
  on("header", (value) => {
    const header = parseHeader(value, "Live header");
    board = header.board;
    listener.header(header);
  });
  on("record", (value) => listener.record(parseGame(value, board, "Live record")));
  on("live", (value) => listener.live(parseLive(value, board)));
  on("summary", (value) => listener.summary(parseSummary(value)));
  on("end", () => {
    source.close();
    listener.end();
  });
  return () => {
    clearTimeout(again);
    stop();
  };
}
