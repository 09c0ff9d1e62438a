/** The watch view: a match from a file, from the page itself, or as it runs. */

import { positionsOf } from "../game/position";
import { listen, type LiveGame } from "../match/live";
import type { OpenedMatch } from "../match/open_files";
import { type GameRecord, type Match, type MatchHeader, parseJson, parseRecord } from "../match/record";
import { countResults, parseSummary, type Summary } from "../match/summary";
import { app } from "./app.svelte";

export type Filter = "all" | "decided" | "drawn" | "blunders" | "faults";

class Watch {
  header = $state.raw<MatchHeader | null>(null);
  games = $state.raw<readonly GameRecord[]>([]);
  given = $state.raw<Summary | null>(null);
  live = $state.raw<readonly LiveGame[]>([]);
  isLive = $state(false);
  filter = $state<Filter>("all");
  player = $state("");
  /** The game on the board: a number of `games`; nothing for none. */
  index = $state<number | null>(null);
  ply = $state(0);
  /** How often the board was moved by hand. */
  moved = $state(0);

  readonly match = $derived(this.header === null ? null : ({ header: this.header, games: this.games } satisfies Match));
  readonly summary = $derived(this.given ?? (this.match === null ? null : countResults(this.match)));
  readonly game = $derived(this.index === null ? null : (this.games[this.index] ?? null));
  readonly positions = $derived(this.game === null ? [] : positionsOf(this.game.line));
  readonly shown = $derived(
    this.games.map((game, index) => ({ game, index })).filter(({ game }) => isShown(game, this.filter, this.player)),
  );

  #waiting: GameRecord[] = [];

  /** Shows a match from a file. */
  open(match: OpenedMatch): void {
    this.header = match.header;
    this.games = match.games;
    this.given = match.summary;
    this.live = [];
    this.filter = "all";
    this.player = "";
    this.#show(match.games.length > 0 ? 0 : null);
    app.news = `A match of ${match.games.length} games is open.`;
  }

  close(): void {
    this.header = null;
    this.games = [];
    this.given = null;
    this.#show(null);
  }

  select(index: number): void {
    this.moved += 1;
    this.#show(index);
  }

  #show(index: number | null): void {
    this.index = index;
    this.ply = index === null ? 0 : (this.games[index]?.line.moves.length ?? 0);
  }

  go(ply: number): void {
    this.moved += 1;
    this.ply = Math.max(0, Math.min(this.game?.line.moves.length ?? 0, ply));
  }

  /** The next or the previous game of the list. */
  step(by: number): void {
    const place = this.shown.findIndex(({ index }) => index === this.index);
    const next = this.shown[place + by];
    if (next !== undefined) this.select(next.index);
  }

  /** Takes the data that stand in the page. Returns whether there are any. */
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
    const address = page.querySelector<HTMLMetaElement>('meta[name="plumb-live"]')?.content;
    if (address) this.#listen(address);
    return this.header !== null || this.isLive;
  }

  #listen(address: string): void {
    this.isLive = true;
    listen(address, {
      header: (header) => {
        // It comes again, with all games, after an interruption.
        this.header = header;
        this.games = [];
        this.#waiting = [];
        this.live = [];
      },
      record: (game) => {
        if (this.#waiting.length === 0) setTimeout(() => this.#takeWaiting(), 50);
        this.#waiting.push(game);
      },
      live: (game) => {
        this.live = [...this.live.filter((other) => other.number !== game.number), game].sort(
          (a, b) => a.number - b.number,
        );
      },
      summary: (summary) => {
        this.given = summary;
      },
      end: () => {
        this.isLive = false;
        this.live = [];
      },
      fault: (message) => {
        app.fault = message;
      },
    });
  }

  #takeWaiting(): void {
    const ended = new Set(this.#waiting.map((game) => game.number));
    this.games = [...this.games, ...this.#waiting];
    this.#waiting = [];
    this.live = this.live.filter((game) => !ended.has(game.number));
  }
}

export const blundersOf = (game: GameRecord): number => game.moves.filter((move) => (move.loss ?? 0) > 0).length;

function isShown(game: GameRecord, filter: Filter, player: string): boolean {
  if (player !== "" && game.first !== player && game.second !== player) return false;
  if (filter === "decided") return game.result === "1-0" || game.result === "0-1";
  if (filter === "drawn") return game.result === "1/2-1/2";
  if (filter === "blunders") return blundersOf(game) > 0;
  if (filter === "faults") return !["four_in_a_row", "full_board", ""].includes(game.reason);
  return true;
}

export const watch = new Watch();
