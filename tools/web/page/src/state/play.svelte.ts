/** The play view: a game against the engine or of two people. The browser keeps the game. */

import { type Board, opponent, type Player, PLAYERS } from "../game/board";
import { InputError } from "../game/fault";
import { toPositionCommand } from "../game/fen";
import { fallTime } from "../game/geometry";
import { parseBody, toBody } from "../game/link";
import { emptyLine, type Line, positionsOf } from "../game/position";
import { describe, isUnproven } from "../game/score";
import type { Handle, Job } from "../engine/session";
import { type Columns, emptyColumns, rankColumns, withInfo } from "./analysis";
import { app } from "./app.svelte";
import { engine } from "./engine.svelte";
import { knock } from "./sound";
import { load, onSave, save } from "./storage";

export const CLOCKS = [
  { name: "none", minutes: 0, seconds: 0 },
  { name: "1 minute + 1 second a move", minutes: 1, seconds: 1 },
  { name: "3 minutes + 2 seconds a move", minutes: 3, seconds: 2 },
  { name: "10 minutes", minutes: 10, seconds: 0 },
] as const;

/** Milliseconds per move without a clock. The highest level may need all of it. */
const MOVE_TIME = 400;
const FULL_MOVE_TIME = 5000;
const HINT_TIME = 2000;
/** Milliseconds between the landing of a stone and the reply. */
const PAUSE = 250;
export const FULL_LEVEL = 20;
/** `history.state` of the play view, for back, forward and reload. */
export const PLAYED = "played";

/** The person's colour. `both`: two people without the engine. */
export type Side = Player | "both";

export interface Hint {
  readonly column: number;
  readonly text: string;
}

interface Forfeit {
  readonly player: Player;
  readonly how: "time" | "resignation";
}

interface Kept {
  readonly id: string;
  readonly game: string;
  readonly side: Side;
  readonly clock: number;
  readonly remaining: readonly [number, number] | null;
  readonly forfeit: Forfeit | null;
  /** Points of earlier rematches: person or red, opponent. */
  readonly score: readonly [number, number];
  readonly isRunning: boolean;
}

const newId = (): string => Math.random().toString(36).slice(2);
/** Kept games of all tabs, the latest first. */
function storedGames(): readonly Kept[] {
  try {
    return JSON.parse(load("games") ?? "[]") as Kept[];
  } catch {
    return [];
  }
}

export const lengthOf = ({ game }: Kept): number => parseBody(game).moves.length;

class Play {
  line = $state.raw<Line>(emptyLine());
  side = $state<Side>(0);
  level = $state(Math.max(0, Math.min(FULL_LEVEL, Number(load("level") ?? 5) || 0)));
  clock = $state(0);
  remaining = $state.raw<readonly [number, number] | null>(null);
  /** Whether the last stone is falling. Input is ignored meanwhile. */
  isFalling = $state(false);
  hasScores = $state(load("scores") === "on");
  columns = $state.raw<Columns | null>(null);
  hint = $state.raw<Hint | null>(null);
  isHinting = $state(false);
  forfeit = $state.raw<Forfeit | null>(null);
  /** Other running games: the latest, and the longest before it. */
  aside = $state.raw<readonly Kept[]>([]);
  #before = $state.raw<readonly [number, number]>([0, 0]);

  readonly positions = $derived(positionsOf(this.line));
  readonly position = $derived(this.positions.at(-1) ?? this.line.start);
  readonly board = $derived(this.line.start.board);
  readonly isOver = $derived(this.position.isOver || this.forfeit !== null);
  readonly winner = $derived(this.forfeit === null ? this.position.winner : opponent(this.forfeit.player));
  /** Points of all rematches: person or red, opponent. */
  readonly score = $derived.by((): readonly [number, number] => {
    const [own, other] = this.#before;
    if (!this.isOver) return this.#before;
    if (this.winner === null) return [own + 0.5, other + 0.5];
    return this.winner === (this.side === "both" ? 0 : this.side) ? [own + 1, other] : [own, other + 1];
  });
  readonly isPersonsTurn = $derived(!this.isOver && (this.side === "both" || this.position.turn === this.side));
  readonly isOpen = $derived(this.isPersonsTurn && !this.isFalling);
  readonly canTakeBack = $derived(
    this.forfeit === null &&
      this.line.moves.length > (this.side === "both" || this.side === this.line.start.turn ? 0 : 1),
  );

  #handle: Handle | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #fall: ReturnType<typeof setTimeout> | undefined;
  #landing = 0;
  #isAssessed = false;

  #id = newId();

  /** Resumes the game of this tab, or a copy of the latest game. */
  restore(): void {
    onSave("games", () => this.#findAside());
    try {
      const own = load("game", "sessionStorage");
      const [last] = storedGames();
      if (own !== null) this.#take(JSON.parse(own) as Kept);
      else if (last !== undefined) this.#take({ ...last, id: newId() });
      this.#findAside();
    } catch {
      // Games of another version of the page, or damaged games.
    }
  }

  newGame(
    side: Side = this.side,
    board: Board = this.board,
    clock: number = this.clock,
    line = emptyLine(board),
    score: readonly [number, number] = [0, 0],
  ): void {
    const { minutes } = CLOCKS[clock] ?? CLOCKS[0];
    const remaining = minutes === 0 ? null : ([minutes * 6e4, minutes * 6e4] as const);
    this.#take({ id: newId(), game: toBody(line), side, clock, remaining, forfeit: null, score, isRunning: false });
    app.news = `New game. ${this.status}`;
    this.#continue();
  }

  rematch(): void {
    const { side, board, clock } = this;
    this.newGame(side === "both" ? side : opponent(side), board, clock, emptyLine(board), this.score);
  }

  /** Opens the game of a link, unless it is the current game or its beginning. */
  open(line: Line): void {
    const [now, opened] = [toBody(this.line), toBody(line)];
    if (history.state === PLAYED ? now.startsWith(opened) : now === opened && this.forfeit === null) return;
    this.newGame(line.moves.length + line.start.stones > 0 ? this.#turnAt(line) : 0, line.start.board, 0, line);
  }

  #turnAt = (line: Line): Player => positionsOf(line).at(-1)?.turn ?? 0;

  /** Resumes another game, which may also be open in another tab. */
  takeAside(game: Kept): void {
    this.#take({ ...game, id: newId() });
    this.#continue();
  }

  get #kept(): Kept {
    const isRunning = this.canTakeBack && !this.isOver;
    const { side, clock, remaining, forfeit } = this;
    return { id: this.#id, game: toBody(this.line), side, clock, remaining, forfeit, score: this.#before, isRunning };
  }

  #take({ id, game, side, clock, remaining, forfeit, score }: Kept): void {
    const line = parseBody(game);
    this.#halt();
    this.#land();
    this.#id = id;
    this.#before = score;
    Object.assign(this, { line, side, clock, remaining, forfeit });
  }

  /** Running games of other tabs and earlier games, except beginnings of this game. */
  #findAside(): void {
    const own = this.#kept;
    const [last, ...others] = storedGames().filter(
      ({ id, game, side, isRunning }) =>
        isRunning && id !== own.id && !(side === own.side && own.game.startsWith(game)),
    );
    const [longest] = others.toSorted((a, b) => lengthOf(b) - lengthOf(a));
    this.aside = [last, longest].filter((game) => game !== undefined);
  }

  keep(): void {
    this.#findAside();
    save("game", JSON.stringify(this.#kept), "sessionStorage");
    save("games", JSON.stringify([this.#kept, ...this.aside]));
  }

  setLevel(level: number): void {
    this.level = level;
    save("level", String(level));
  }

  setScores(isOn: boolean): void {
    this.hasScores = isOn;
    save("scores", isOn ? "on" : "off");
    if (isOn && this.isPersonsTurn && this.#handle === null) void this.#assess();
  }

  play(column: number): void {
    if (!this.isOpen) return;
    if (this.position.isFull(column)) throw new InputError(`Column ${column + 1} is full.`);
    this.#add(column, this.side === "both" ? PLAYERS[this.position.turn] : "You");
  }

  takeBack(): void {
    if (!this.canTakeBack) return;
    this.#halt();
    this.#land();
    const { start } = this.line;
    do this.line = { start, moves: this.line.moves.slice(0, -1) };
    while (this.side !== "both" && this.position.turn !== this.side);
    app.news = "Taken back.";
    this.#continue();
  }

  /** The person, or the player to move, resigns. */
  resign(): void {
    if (this.isOver) return;
    this.#halt();
    this.#land();
    this.forfeit = { player: this.side === "both" ? this.position.turn : this.side, how: "resignation" };
    app.news = this.status;
    this.keep();
  }

  askHint(): void {
    if (!this.isPersonsTurn || this.isHinting || this.hint !== null) return;
    this.isHinting = true;
    if (this.#isAssessed) this.#giveHint();
    else if (this.#handle === null) void this.#assess();
  }

  /** Scores all columns for a hint or for display. */
  async #assess(): Promise<void> {
    const { position } = this;
    this.columns = emptyColumns(position);
    const handle = engine.run({
      board: position.board,
      options: { Hash: engine.hash, MultiPV: position.board.width, UCI_AnalyseMode: true },
      position: toPositionCommand(this.line, this.line.moves.length),
      stones: position.stones,
      go: `go movetime ${HINT_TIME}`,
      onInfo: (info) => {
        if (handle === this.#handle && this.columns !== null) this.columns = withInfo(this.columns, info);
      },
    });
    this.#handle = handle;
    const { column } = await handle.answer;
    if (handle !== this.#handle) return;
    // Without an engine there is no hint.
    if (column === null) this.#handle = this.columns = null;
    else this.#isAssessed = true;
    if (this.isHinting) this.#giveHint();
  }

  #giveHint(): void {
    this.isHinting = false;
    const best = rankColumns(this.columns ?? [])[0];
    const score = best === undefined ? undefined : this.columns?.[best]?.score;
    if (best === undefined || score === undefined) return;
    const words = isUnproven(score) ? " looks best" : `: ${describe(score)}`;
    this.hint = { column: best, text: `Column ${app.columnName(best)}${words}` };
    app.news = `Hint: ${this.hint.text}.`;
  }

  /** The engine works only while the view is visible. */
  setActive(isActive: boolean): void {
    this.#halt();
    if (isActive) this.#continue();
  }

  #halt(): void {
    this.#handle?.stop();
    this.#handle = null;
    clearInterval(this.#timer);
    this.#isAssessed = false;
    this.isHinting = false;
    this.columns = null;
    this.hint = null;
  }

  #land(): void {
    clearTimeout(this.#fall);
    this.isFalling = false;
    this.#landing = 0;
  }

  #add(column: number, who: string): void {
    this.#halt();
    const { turn, board } = this.position;
    const time = matchMedia("(prefers-reduced-motion: reduce)").matches
      ? 0
      : fallTime(board, this.position.landing(column));
    const rest = Math.max(PAUSE, time);
    this.isFalling = true;
    this.#landing = performance.now() + rest;
    this.#fall = setTimeout(() => this.#land(), rest);
    this.line = { start: this.line.start, moves: [...this.line.moves, column] };
    knock();
    const seconds = (CLOCKS[this.clock] ?? CLOCKS[0]).seconds;
    if (this.remaining !== null) this.remaining = this.#withTime(turn, seconds * 1000);
    app.news = `${who}: column ${column + 1}. ${this.position.isOver ? this.status : ""}`;
    this.#continue();
  }

  #withTime(player: Player, change: number): readonly [number, number] | null {
    if (this.remaining === null) return null;
    const [first, second] = this.remaining;
    return player === 0 ? [Math.max(0, first + change), second] : [first, Math.max(0, second + change)];
  }

  #continue(): void {
    this.keep();
    if (this.isOver) return;
    if (this.remaining !== null && this.line.moves.length > 0) this.#runClock();
    if (!this.isPersonsTurn) void this.#engineMove();
    else if (this.hasScores) void this.#assess();
  }

  #runClock(): void {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      const { turn } = this.position;
      if (!this.isFalling) this.remaining = this.#withTime(turn, last - now);
      last = now;
      if (this.remaining?.[turn] !== 0) return;
      this.#halt();
      this.forfeit = { player: turn, how: "time" };
      this.keep();
      app.news = this.status;
    }, 100);
  }

  async #engineMove(): Promise<void> {
    const table: Job["options"] = this.level === FULL_LEVEL ? { Hash: engine.hash } : {};
    const handle = engine.run({
      board: this.board,
      options: { ...table, MultiPV: 1, UCI_AnalyseMode: false, "Skill Level": this.level },
      position: toPositionCommand(this.line, this.line.moves.length),
      stones: this.position.stones,
      go: this.#go(),
    });
    this.#handle = handle;
    const landing = this.#landing;
    const { column } = await handle.answer;
    const rest = landing + PAUSE - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (handle !== this.#handle || column === null || !this.position.canPlay(column)) return;
    this.#add(column, "Plumb");
  }

  #go(): string {
    if (this.remaining === null) return `go movetime ${this.level === FULL_LEVEL ? FULL_MOVE_TIME : MOVE_TIME}`;
    const [first, second] = this.remaining.map(Math.round);
    const added = (CLOCKS[this.clock] ?? CLOCKS[0]).seconds * 1000;
    return `go wtime ${first} btime ${second} winc ${added} binc ${added}`;
  }

  nameOf(player: Player): string {
    return this.side === "both" ? PLAYERS[player] : player === this.side ? "You" : "Plumb";
  }

  get status(): string {
    const won = (winner: Player): string => (winner === this.side ? "You have won" : `${this.nameOf(winner)} has won`);
    if (this.forfeit?.how === "time") return `${won(opponent(this.forfeit.player))} on time.`;
    if (this.forfeit !== null)
      return `${this.nameOf(this.forfeit.player)} resigned: ${won(opponent(this.forfeit.player))}.`;
    const { winner, turn, isOver } = this.position;
    if (isOver) return winner === null ? "The game is drawn." : `${won(winner)}!`;
    if (this.side === "both") return `${PLAYERS[turn]} to move.`;
    if (!this.isPersonsTurn) return "Plumb is thinking …";
    if (this.line.moves.length > 0) return "Your move.";
    return `You are ${PLAYERS[turn].toLowerCase()} and begin: choose a column.`;
  }
}

export const play = new Play();
