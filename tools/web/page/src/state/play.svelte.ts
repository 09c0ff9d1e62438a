/** The play view: a game against the engine, with or without a clock. */

import { type Board, opponent, type Player } from "../game/board";
import { toPositionCommand } from "../game/paste";
import { emptyLine, type Line, positionsOf } from "../game/position";
import { describe, isUnproven } from "../game/score";
import type { Handle, Job } from "../engine/session";
import { emptyColumns, rankColumns, withInfo } from "./analysis";
import { app } from "./app.svelte";
import { engine } from "./engine.svelte";
import { knock } from "./sound";
import { load, save } from "./storage";

/** Time controls: minutes for the game and seconds added with each move. */
export const CLOCKS = [
  { name: "none", minutes: 0, seconds: 0 },
  { name: "1 minute + 1 second a move", minutes: 1, seconds: 1 },
  { name: "3 minutes + 2 seconds a move", minutes: 3, seconds: 2 },
  { name: "10 minutes", minutes: 10, seconds: 0 },
] as const;

/** Time for a move without a clock, in milliseconds; the highest level may need it to be exact. */
const MOVE_TIME = 400;
const FULL_MOVE_TIME = 5000;
const HINT_TIME = 2000;
/** The engine waits so long, that the eye can follow. */
const PAUSE = 0;
export const FULL_LEVEL = 20;

export interface Hint {
  readonly column: number;
  readonly text: string;
}

class Play {
  line = $state.raw<Line>(emptyLine());
  human = $state<Player>(0);
  level = $state(Math.max(0, Math.min(FULL_LEVEL, Number(load("level") ?? 5) || 0)));
  clock = $state(0);
  /** Milliseconds left of both players; nothing without a clock. */
  remaining = $state.raw<readonly [number, number] | null>(null);
  isThinking = $state(false);
  hint = $state.raw<Hint | null>(null);
  isHinting = $state(false);
  /** Who ran out of time. */
  flagged = $state<Player | null>(null);

  readonly positions = $derived(positionsOf(this.line));
  readonly position = $derived(this.positions.at(-1) ?? this.line.start);
  readonly board = $derived(this.line.start.board);
  readonly isOver = $derived(this.position.isOver || this.flagged !== null);
  readonly isHumansTurn = $derived(!this.isOver && this.position.turn === this.human);
  readonly canTakeBack = $derived(this.flagged === null && this.line.moves.length > (this.human === 0 ? 0 : 1));

  #handle: Handle | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Begins again with the same settings. */
  newGame(human: Player = this.human, board: Board = this.board): void {
    this.#halt();
    this.human = human;
    this.line = emptyLine(board);
    this.flagged = null;
    const clock = CLOCKS[this.clock] ?? CLOCKS[0];
    this.remaining = clock.minutes === 0 ? null : [clock.minutes * 60_000, clock.minutes * 60_000];
    app.news = `New game. You move ${human === 0 ? "first" : "second"}.`;
    this.#continue();
  }

  setLevel(level: number): void {
    this.level = level;
    save("level", String(level));
  }

  setClock(index: number): void {
    this.clock = index;
    this.newGame();
  }

  /** The person's move. */
  play(column: number): void {
    if (!this.isHumansTurn || !this.position.canPlay(column)) return;
    this.#halt();
    this.#add(column, "You");
    this.#continue();
  }

  /** Takes back to the person's move before. */
  takeBack(): void {
    if (!this.canTakeBack) return;
    this.#halt();
    const moves = [...this.line.moves];
    do moves.pop();
    while (moves.length % 2 !== this.human && moves.length > 0);
    this.line = { start: this.line.start, moves };
    app.news = "Taken back.";
    this.#continue();
  }

  /** Asks for the best column. */
  async askHint(): Promise<void> {
    if (!this.isHumansTurn || this.isHinting) return;
    this.isHinting = true;
    const { position } = this;
    let columns = emptyColumns(position);
    const handle = engine.run({
      board: position.board,
      options: { Hash: engine.hash, MultiPV: position.board.width, UCI_AnalyseMode: true },
      position: toPositionCommand(this.line, this.line.moves.length),
      stones: position.stones,
      go: `go movetime ${HINT_TIME}`,
      onInfo: (info) => {
        columns = withInfo(columns, info);
      },
    });
    this.#handle = handle;
    await handle.answer;
    if (handle !== this.#handle) return;
    this.isHinting = false;
    const best = rankColumns(columns)[0];
    const score = best === undefined ? undefined : columns[best]?.score;
    if (best === undefined || score === undefined) return;
    const words = isUnproven(score) ? " looks best" : `: ${describe(score)}`;
    this.hint = { column: best, text: `Column ${best + 1}${words}` };
    app.news = `Hint: ${this.hint.text}.`;
  }

  /** Lets the engine go on when the view is shown again, and rest when it is left. */
  setActive(isActive: boolean): void {
    this.#halt();
    if (isActive) this.#continue();
  }

  #halt(): void {
    this.#handle?.stop();
    this.#handle = null;
    clearInterval(this.#timer);
    this.isThinking = false;
    this.isHinting = false;
    this.hint = null;
  }

  #add(column: number, who: string): void {
    const mover = this.position.turn;
    this.line = { start: this.line.start, moves: [...this.line.moves, column] };
    knock();
    const seconds = (CLOCKS[this.clock] ?? CLOCKS[0]).seconds;
    if (this.remaining !== null) this.remaining = this.#withTime(mover, seconds * 1000);
    app.news = `${who}: column ${column + 1}. ${this.#ending()}`;
  }

  #ending(): string {
    if (!this.position.isOver) return "";
    if (this.position.winner === null) return "The game is drawn.";
    return this.position.winner === this.human ? "You have won." : "Plumb has won.";
  }

  #withTime(player: Player, change: number): readonly [number, number] | null {
    if (this.remaining === null) return null;
    const [first, second] = this.remaining;
    return player === 0 ? [Math.max(0, first + change), second] : [first, Math.max(0, second + change)];
  }

  #continue(): void {
    if (this.isOver) return;
    // The clock begins with the first move.
    if (this.remaining !== null && this.line.moves.length > 0) this.#runClock();
    if (this.position.turn !== this.human) void this.#engineMove();
  }

  #runClock(): void {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      const { turn } = this.position;
      this.remaining = this.#withTime(turn, last - now);
      last = now;
      if (this.remaining?.[turn] !== 0) return;
      this.#halt();
      this.flagged = turn;
      app.news = turn === this.human ? "Your time is over." : "Plumb's time is over: you have won.";
    }, 100);
  }

  async #engineMove(): Promise<void> {
    this.isThinking = true;
    const began = performance.now();
    const table: Job["options"] = this.level === FULL_LEVEL ? { Hash: engine.hash } : {};
    const handle = engine.run({
      board: this.board,
      options: { ...table, MultiPV: 1, UCI_AnalyseMode: false, "Skill Level": this.level },
      position: toPositionCommand(this.line, this.line.moves.length),
      stones: this.position.stones,
      go: this.#go(),
    });
    this.#handle = handle;
    const { column } = await handle.answer;
    const rest = this.line.moves.length === 0 ? 0 : PAUSE - (performance.now() - began);
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (handle !== this.#handle || column === null || !this.position.canPlay(column)) return;
    this.#halt();
    this.#add(column, "Plumb");
    this.#continue();
  }

  #go(): string {
    if (this.remaining === null) return `go movetime ${this.level === FULL_LEVEL ? FULL_MOVE_TIME : MOVE_TIME}`;
    const [first, second] = this.remaining.map(Math.round);
    const added = (CLOCKS[this.clock] ?? CLOCKS[0]).seconds * 1000;
    return `go wtime ${first} btime ${second} winc ${added} binc ${added}`;
  }

  /** How the game stands, in one sentence. */
  get status(): string {
    if (this.flagged !== null)
      return this.flagged === this.human ? "Your time is over: Plumb has won." : "Plumb's time is over: you have won.";
    if (this.position.isOver) return this.#ending();
    if (this.isThinking) return "Plumb is thinking …";
    return this.line.moves.length === 0 && this.human === 0 ? "You begin: choose a column." : "Your move.";
  }

  get engineSide(): Player {
    return opponent(this.human);
  }
}

export const play = new Play();
