/** Events of a running match: header, finished games, games in progress, figures. */

import * as v from "valibot";
import { Board } from "../game/board";
import { InputError } from "../game/fault";
import { gameFields, type GameRecord, type MatchHeader, parseGame, parseHeader, toGame } from "./record";
import { check, numberOrNull } from "./schema";
import { parseSummary, type Summary } from "./summary";

export interface LiveGame extends Omit<GameRecord, "result" | "reason" | "detail"> {
  readonly clocks: readonly [number | null, number | null];
  readonly turn: 0 | 1;
  /** Arrival by the clock of the page, in milliseconds. */
  readonly received: number;
}

export interface LiveListener {
  header(header: MatchHeader): void;
  record(game: GameRecord): void;
  live(game: LiveGame): void;
  summary(summary: Summary): void;
  end(): void;
  /** Lost connection or interrupted match. The page retries. */
  lost(): void;
  fault(message: string): void;
}

const RETRY = 2000;

const clock = numberOrNull;
const Live = v.object({
  ...gameFields,
  clocks: v.fallback(v.tuple([clock, clock]), [null, null]),
  turn: v.fallback(v.picklist(["first", "second"]), "first"),
});

const Interrupted = v.object({ state: v.literal("interrupted") });

export function parseLive(value: unknown, board: Board): LiveGame {
  const { clocks, turn, ...game } = check(Live, value, "Live game");
  const received = performance.now();
  return { ...toGame(game, board, "Live game"), clocks, turn: turn === "second" ? 1 : 0, received };
}

/** Listens to events, also after interruptions, until the end of the match. */
export function listen(address: string, listener: LiveListener): () => void {
  const source = new EventSource(address);
  let again: ReturnType<typeof setTimeout> | undefined;
  let stop = (): void => source.close();
  const retry = (): void => {
    again ??= setTimeout(() => (stop = listen(address, listener)), RETRY);
  };
  source.onerror = () => {
    listener.lost();
    // A browser gives up after another answer, for example with too many spectators.
    if (source.readyState === EventSource.CLOSED) retry();
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
  on("header", (value) => {
    const header = parseHeader(value, "Live header");
    board = header.board;
    listener.header(header);
  });
  on("record", (value) => listener.record(parseGame(value, board, "Live record")));
  on("live", (value) => listener.live(parseLive(value, board)));
  on("summary", (value) => listener.summary(parseSummary(value)));
  on("end", (value) => {
    source.close();
    if (!v.is(Interrupted, value)) return listener.end();
    listener.lost();
    retry();
  });
  return () => {
    clearTimeout(again);
    stop();
  };
}
