/** The watch view: a match from a file, from the page, or live. */

import { positionsOf } from "../game/position";
import { listen, type LiveGame } from "../match/live";
import type { OpenedMatch } from "../match/open_files";
import { type GameRecord, type Match, type MatchHeader, parseJson, parseRecord } from "../match/record";
import { countResults, parseSummary, type Summary } from "../match/summary";
import { isForfeit } from "../match/words";
import { app } from "./app.svelte";

export type Filter = "all" | "decided" | "drawn" | "blunders" | "forfeited";

export type SortKey = "number" | "result" | "first" | "second" | "moves" | "blunders" | "reason";

/** Milliseconds that an ended game keeps its board, and the number of these boards. */
const HOLD = 5000;
const MOST_ENDED = 6;
const MOST_BOARDS = 200;

export interface LivePlace {
  readonly game: LiveGame;
  readonly ended: GameRecord | null;
}

class Watch {
  header = $state.raw<MatchHeader | null>(null);
  games = $state.raw<readonly GameRecord[]>([]);
  given = $state.raw<Summary | null>(null);
  live = $state.raw<readonly LivePlace[]>([]);
  isLive = $state(false);
  /** When the connection was lost, by the clock of the page. */
  lost = $state<number | null>(null);
  address = $state("");
  filter = $state<Filter>("all");
  player = $state("");
  sortKey = $state<SortKey>("number");
  isDescending = $state(false);
  /** The game on the board: an index of `games`. */
  index = $state<number | null>(null);
  ply = $state(0);
  moved = $state(0);

  readonly match = $derived(this.header === null ? null : ({ header: this.header, games: this.games } satisfies Match));
  readonly summary = $derived(this.given ?? (this.match === null ? null : countResults(this.match)));
  readonly game = $derived(this.index === null ? null : (this.games[this.index] ?? null));
  readonly positions = $derived(this.game === null ? [] : positionsOf(this.game.line));
  readonly shown = $derived(
    this.games
      .map((game, index) => ({ game, index }))
      .filter(({ game }) => isShown(game, this.filter, this.player))
      .sort((a, b) => (this.isDescending ? -1 : 1) * compare(a.game, b.game, this.sortKey)),
  );
  /** The part of the address after `#`: number of the game from 1, and ply. */
  readonly link = $derived(this.game === null ? "#watch" : `#watch/${this.game.number + 1}/${this.ply}`);

  #waiting: GameRecord[] = [];
  /** The game of a link that has not arrived yet. */
  #sought: { number: number; ply: number | undefined } | null = null;
  #stop: () => void = () => undefined;
  /** Start of the connection, and whether earlier events have arrived. */
  #heard = 0;
  #isCaughtUp = false;

  /** Shows a match from a file, at the game of the link if possible. */
  open(match: OpenedMatch): void {
    const sought = this.#sought;
    this.close();
    this.header = match.header;
    this.games = match.games;
    this.given = match.summary;
    this.#show(match.games.length > 0 ? 0 : null);
    this.#sought = sought;
    this.#find();
    this.#sought = null;
    app.news = `A match of ${match.games.length} games is open.`;
  }

  close(): void {
    this.#stop();
    Object.assign(this, { header: null, games: [], given: null, live: [], isLive: false, lost: null });
    this.filter = "all";
    this.player = "";
    this.sortKey = "number";
    this.isDescending = false;
    this.#waiting = [];
    this.#show(null);
  }

  seek(game: number, ply?: number): void {
    this.#sought = { number: game - 1, ply };
    this.#find();
  }

  #find(): void {
    const { number, ply } = this.#sought ?? {};
    const index = this.games.findIndex((game) => game.number === number);
    if (index < 0) return;
    this.#sought = null;
    if (index !== this.index) this.#show(index);
    if (ply !== undefined) this.ply = Math.min(this.game?.line.moves.length ?? 0, ply);
  }

  select(index: number): void {
    this.moved += 1;
    this.#show(index);
  }

  #show(index: number | null): void {
    this.#sought = null;
    this.index = index;
    this.ply = index === null ? 0 : (this.games[index]?.line.moves.length ?? 0);
  }

  go(ply: number): void {
    this.moved += 1;
    this.#sought = null;
    this.ply = Math.max(0, Math.min(this.game?.line.moves.length ?? 0, ply));
  }

  /** Sorts the list of games. A second call reverses it. */
  sortBy(key: SortKey): void {
    this.isDescending = key === this.sortKey ? !this.isDescending : key === "blunders" || key === "moves";
    this.sortKey = key;
  }

  step(by: number): void {
    const place = this.shown.findIndex(({ index }) => index === this.index);
    const next = this.shown[place + by];
    if (next !== undefined) this.select(next.index);
  }

  /** Reads the data in the page. Returns whether there are data. */
  takeEmbedded(page: Document): boolean {
    const record = page.getElementById("match-record")?.textContent;
    if (record !== undefined && record !== null && record.trim() !== "") {
      app.attempt(() => {
        const summary = page.getElementById("match-summary")?.textContent ?? "";
        this.open({
          ...parseRecord(record, "The record in the page"),
          summary: summary.trim() === "" ? null : parseSummary(parseJson(summary, "The summary in the page")),
        });
      });
    }
    this.address = page.querySelector<HTMLMetaElement>('meta[name="plumb-live"]')?.content ?? "";
    if (this.address !== "") this.listen();
    // A browser has few connections per server, so a hidden tab closes its connection.
    page.addEventListener("visibilitychange", () => {
      if (!this.isLive) return;
      this.#stop();
      if (page.visibilityState === "hidden") this.lost ??= performance.now();
      else {
        this.lost = null;
        this.#connect();
      }
    });
    return this.header !== null || this.isLive;
  }

  listen(): void {
    this.close();
    this.isLive = true;
    if (document.visibilityState !== "hidden") this.#connect();
  }

  #connect(): void {
    this.#stop = listen(this.address, {
      header: (header) => {
        // Repeated with all games after an interruption.
        if (header.started !== this.header?.started) {
          // The game of a link belongs to the first header.
          if (this.header !== null) this.#show(null);
          this.live = this.games = [];
          this.player = "";
        }
        this.header = header;
        this.#waiting = [];
        this.#heard = performance.now();
        this.#isCaughtUp = false;
        this.lost = null;
      },
      record: (game) => {
        if (this.#waiting.length === 0) setTimeout(() => this.#takeWaiting(), 50);
        this.#waiting.push(game);
        if (this.#isCaughtUp || this.live.some(({ game: { number } }) => number === game.number)) this.#end(game);
      },
      live: (game) => this.#place(game, null),
      summary: (summary) => {
        this.given = summary;
        // A game that is neither running nor ended was aborted.
        if (!this.#isCaughtUp)
          this.live = this.live.filter(({ game, ended }) => ended !== null || game.received >= this.#heard);
        this.#isCaughtUp = true;
      },
      end: () => {
        this.isLive = false;
        this.address = "";
        this.live = this.live.filter(({ ended }) => ended !== null);
      },
      lost: () => {
        this.lost ??= performance.now();
      },
      fault: (message) => {
        app.fault = message;
      },
    });
  }

  #end(game: GameRecord): void {
    const turn = positionsOf(game.line).at(-1)?.turn ?? 0;
    const before = this.live.find(({ game: { number } }) => number === game.number);
    if (before?.ended) return;
    this.#place({ ...game, clocks: before?.game.clocks ?? [null, null], turn, received: performance.now() }, game);
    setTimeout(() => (this.live = this.live.filter(({ ended }) => ended !== game)), HOLD);
  }

  /** Running games first, each in its place, then ended games, the latest first. */
  #place(game: LiveGame, ended: GameRecord | null): void {
    const place = { game, ended };
    const others = this.live.filter(({ game: { number } }) => number !== game.number);
    const running = others.filter((other) => other.ended === null);
    const over = others.filter((other) => other.ended !== null);
    if (ended === null) running.push(place);
    else over.unshift(place);
    running.sort((a, b) => a.game.number - b.game.number);
    this.live = [...running, ...over.slice(0, MOST_ENDED)].slice(0, MOST_BOARDS);
  }

  #takeWaiting(): void {
    const known = new Set(this.games.map((game) => game.number));
    this.games = [...this.games, ...this.#waiting.filter((game) => !known.has(game.number))];
    this.#waiting = [];
    this.#find();
  }
}

function compare(a: GameRecord, b: GameRecord, key: SortKey): number {
  const [first, second] = [keyOf(a, key), keyOf(b, key)];
  if (first === second) return a.number - b.number;
  return first < second ? -1 : 1;
}

function keyOf(game: GameRecord, key: SortKey): number | string {
  if (key === "moves") return game.line.moves.length;
  return key === "blunders" ? blundersOf(game) : game[key];
}

export const blundersOf = (game: GameRecord): number => game.moves.filter((move) => (move.loss ?? 0) > 0).length;

function isShown(game: GameRecord, filter: Filter, player: string): boolean {
  if (player !== "" && game.first !== player && game.second !== player) return false;
  if (filter === "decided") return game.result === "1-0" || game.result === "0-1";
  if (filter === "drawn") return game.result === "1/2-1/2";
  if (filter === "blunders") return blundersOf(game) > 0;
  if (filter === "forfeited") return isForfeit(game.reason);
  return true;
}

export const watch = new Watch();
