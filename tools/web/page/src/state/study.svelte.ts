/** The analysis view: a game, the current position, its scores, the scores of the game. */

import { type Board } from "../game/board";
import { InputError } from "../game/fault";
import { toPositionCommand, toRows } from "../game/fen";
import { parsePgn, toPgn } from "../game/pgn";
import { emptyLine, type Line, Position, positionsOf } from "../game/position";
import {
  before,
  combine,
  exactly,
  isExact,
  type Loss,
  lossOf,
  pliesOf,
  type Score,
  UNKNOWN,
  valueOf,
} from "../game/score";
import { lineThrough, promote, type Tree, treeAfter, withAfter, withPath } from "../game/tree";
import type { Handle } from "../engine/session";
import { type Columns, emptyColumns, endOf, isSolved, scoreOf, withInfo } from "./analysis";
import { engine } from "./engine.svelte";
import { load, save } from "./storage";

const CURVE_TIME = 4000;
/** Milliseconds per point while a position stays unsolved. */
const SHORT_CURVE_TIME = 1000;
/** Milliseconds for a position before the curve gets a turn. */
const FIRST_TIME = 8000;

export interface SearchFigures {
  readonly depth: number;
  readonly nodes: number;
  readonly nodesPerSecond: number;
  readonly milliseconds: number;
}

const NO_FIGURES: SearchFigures = { depth: 0, nodes: 0, nodesPerSecond: 0, milliseconds: 0 };

class Study {
  tree = $state.raw<Tree>([]);
  line = $state.raw<Line>(emptyLine());
  ply = $state(0);
  isOn = $state(true);
  columns = $state.raw<Columns>(emptyColumns(Position.empty()));
  figures = $state.raw<SearchFigures>(NO_FIGURES);
  state = $state<"idle" | "searching" | "solved">("idle");
  complaint = $state<string | null>(null);
  /** Scores for the player to move, by the rows of the FEN. */
  scores = $state.raw<ReadonlyMap<string, Score>>(new Map());

  readonly positions = $derived(positionsOf(this.line));
  readonly board = $derived(this.line.start.board);
  readonly position = $derived(this.positions[this.ply] ?? this.line.start);
  readonly curve = $derived(this.positions.map((position) => this.scoreOf(position)));
  readonly isMain = $derived(lineThrough(this.tree, []).join() === this.line.moves.join());

  #isActive = false;
  #handle: Handle | null = null;
  #isFrameAsked = false;
  #pending: { columns: Columns; figures: SearchFigures } | null = null;
  readonly #solved = new Map<string, Columns>();

  get path(): readonly number[] {
    return this.line.moves.slice(0, this.ply);
  }

  restore(): void {
    try {
      const { pgn, path, ply } = JSON.parse(load("study") ?? "") as { pgn: string; path: number[]; ply: number };
      const [game] = parsePgn(pgn);
      if (game !== undefined) this.open({ ...game.line, moves: path }, ply, game.tree);
    } catch {
      // Nothing kept, or kept by another version.
    }
  }

  /** Opens another game or another place in this game. */
  open(line: Line, ply: number, tree?: Tree): void {
    const isPresent = toRows(line.start) === toRows(this.line.start) && treeAfter(this.tree, line.moves) !== undefined;
    this.#show(tree ?? (isPresent && line.moves.length > 0 ? this.tree : withPath([], line.moves)), line, ply);
  }

  #show(tree: Tree, { start, moves }: Line, ply: number): void {
    this.tree = tree;
    const isSame = start === this.line.start && moves.every((column, index) => column === this.line.moves[index]);
    const whole = isSame && treeAfter(tree, this.line.moves) !== undefined ? this.line.moves : lineThrough(tree, moves);
    this.line = { start, moves: whole };
    this.ply = ply;
    this.#restart();
    const pgn = toPgn(start, tree, ["Red", "Yellow"], "????.??.??");
    save("study", JSON.stringify({ pgn, path: whole, ply }));
  }

  go(ply: number): void {
    const place = Math.max(0, Math.min(this.line.moves.length, ply));
    if (place !== this.ply) this.#show(this.tree, this.line, place);
  }

  goTo(path: readonly number[]): void {
    this.#show(this.tree, { start: this.line.start, moves: path }, path.length);
  }

  /** Plays columns. A column other than the next move begins a variation. */
  play(...columns: readonly number[]): void {
    const { start } = this.line;
    let { position } = this;
    const path = [...this.path];
    for (const column of columns) {
      if (position.isFull(column)) throw new InputError(`Column ${column + 1} is full.`);
      if (position.isOver) break;
      position = position.play(column);
      path.push(column);
    }
    this.#show(withPath(this.tree, path), { start, moves: path }, path.length);
  }

  setBoard(board: Board = this.board): void {
    this.#show([], emptyLine(board), 0);
  }

  cut(): void {
    this.#show(
      withAfter(this.tree, this.path, () => []),
      { ...this.line, moves: this.path },
      this.ply,
    );
  }

  promote(): void {
    this.#show(promote(this.tree, this.line.moves), this.line, this.ply);
  }

  setOn(isOn: boolean): void {
    this.isOn = isOn;
    this.#resume();
  }

  setActive(isActive: boolean): void {
    if (this.#isActive === isActive) return;
    this.#isActive = isActive;
    this.#resume();
  }

  scoreOf(position: Position): Score {
    if (position.isOver) return exactly(endOf(position));
    return this.scores.get(toRows(position)) ?? UNKNOWN;
  }

  /** The loss of a move, null while the scores are unknown. */
  lossOf(position: Position, column: number): Loss | null {
    const best = valueOf(this.scoreOf(position));
    const next = valueOf(this.scoreOf(position.play(column)));
    return best === null || next === null ? null : lossOf(best, before(next), position.stones, position.board);
  }

  #restart(): void {
    this.#pending = null;
    this.columns = this.#solved.get(toRows(this.position)) ?? emptyColumns(this.position);
    this.figures = NO_FIGURES;
    this.#resume();
  }

  /** Restarts the engine if it should work. Scores stay. */
  #resume(): void {
    this.#flush();
    this.#handle?.stop();
    this.#handle = null;
    const { position } = this;
    this.complaint = null;
    const isKnown = position.isOver || isSolved(this.columns);
    this.state = isKnown ? "solved" : "idle";
    if (!this.#isActive || !this.isOn) return;
    if (isKnown) this.#continueCurve();
    else void this.#search(position, this.#nextForCurve() === undefined ? null : FIRST_TIME);
  }

  /** Searches all columns: without end, or for some time before the points of the curve. */
  async #search(position: Position, milliseconds: number | null): Promise<void> {
    this.state = "searching";
    const handle = engine.run({
      board: position.board,
      options: { Hash: engine.hash, MultiPV: position.board.width, UCI_AnalyseMode: true },
      position: toPositionCommand(this.line, this.ply),
      stones: position.stones,
      go: milliseconds === null ? "go infinite" : `go movetime ${milliseconds}`,
      onInfo: (info) => {
        if (handle !== this.#handle) return;
        const columns = withInfo(this.#pending?.columns ?? this.columns, info);
        const { depth, nodes, nodesPerSecond, milliseconds } = info;
        this.#pending = { columns, figures: { depth, nodes, nodesPerSecond, milliseconds } };
        if (
          isSolved(columns) &&
          columns.every((column, index) => hasFullLine(column?.line, index, position, column?.score))
        ) {
          handle.stop();
        }
        this.#showSoon();
      },
    });
    this.#handle = handle;
    const { column, complaint } = await handle.answer;
    if (handle !== this.#handle) return;
    this.#flush();
    this.#handle = null;
    if (isSolved(this.columns)) {
      this.state = "solved";
      this.#solved.set(toRows(position), this.columns);
      this.#continueCurve();
    } else if (milliseconds !== null && column !== null) {
      this.#continueCurve();
    } else {
      this.state = "idle";
      this.complaint = complaint;
    }
  }

  #showSoon(): void {
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    requestAnimationFrame(() => {
      this.#isFrameAsked = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#pending === null) return;
    this.columns = this.#pending.columns;
    this.figures = this.#pending.figures;
    this.#pending = null;
    this.#setScore(this.position, scoreOf(this.columns));
  }

  /** Merges scores, because a new search knows less at first. */
  #setScore(position: Position, score: Score): void {
    const known = this.scores.get(toRows(position)) ?? UNKNOWN;
    this.scores = new Map(this.scores).set(toRows(position), combine(known, score));
  }

  /** The next position to score for the curve, from the end. */
  #nextForCurve(): number | undefined {
    if (this.line.moves.length === 0) return undefined;
    const index = this.positions.findLastIndex(
      (position) =>
        position !== this.position &&
        !position.isOver &&
        !isExact(this.scoreOf(position)) &&
        !this.#givenUp.has(toRows(position)),
    );
    return index < 0 ? undefined : index;
  }

  /** Scores other positions of the game, then continues with an unsolved position. */
  #continueCurve(): void {
    const index = this.#nextForCurve();
    const position = index === undefined ? undefined : this.positions[index];
    const isUnsolved = this.state === "searching";
    if (index === undefined || position === undefined) {
      if (isUnsolved) void this.#search(this.position, null);
      return;
    }
    let score: Score = UNKNOWN;
    const handle = engine.run({
      board: position.board,
      options: { Hash: engine.hash, MultiPV: 1, UCI_AnalyseMode: true },
      position: toPositionCommand(this.line, index),
      stones: position.stones,
      go: `go movetime ${isUnsolved ? SHORT_CURVE_TIME : CURVE_TIME}`,
      onInfo: (info) => {
        score = info.score;
      },
    });
    this.#handle = handle;
    void handle.answer.then(({ column }) => {
      if (handle !== this.#handle || column === null) return;
      this.#setScore(position, score);
      if (!isExact(score)) this.#givenUp.add(toRows(position));
      this.#continueCurve();
    });
  }

  readonly #givenUp = new Set<string>();
}

/** Whether the line reaches the end that its score promises. */
function hasFullLine(
  line: readonly number[] | undefined,
  column: number,
  position: Position,
  score: Score | undefined,
): boolean {
  if (line === undefined || score === undefined) return true;
  if (position.play(column).isOver) return true;
  const value = valueOf(score);
  if (value === null) return false;
  const plies = value === 0 ? position.board.cells - position.stones : pliesOf(value);
  return line.length >= plies;
}

export const study = new Study();
