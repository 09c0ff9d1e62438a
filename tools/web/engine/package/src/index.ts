/**
 * The Connect Four engine Plumb in WebAssembly.
 *
 * The engine reads and writes the lines of the program `plumb`, as in UCI:
 *
 * ```js
 * import { Engine } from "plumb-engine";
 *
 * const engine = await Engine.create();
 * engine.postMessage("position 4455");
 * const lines = await engine.send("go movetime 300", "bestmove");
 * console.log(lines.at(-1));
 * engine.terminate();
 * ```
 */

import { commandOf } from "./command.js";
import { compile, read } from "./files.js";
import type { Response } from "./messages.js";
import { StopWriter } from "./stop_signal.js";
import { listen, type Started, system } from "./system.js";
import type { File, WorkerLike } from "./types.js";

export type { File, WorkerLike } from "./types.js";

export interface EngineOptions {
  /** The module: a `WebAssembly.Module` or its file. Default: the file of this package. */
  wasm?: File | object | Promise<File | object>;
  /** The opening book of 4 MB, or `false`. Default: the file of this package. */
  book?: File | false | Promise<File | false>;
  /** Makes the worker, for programs that bundle it themselves. */
  worker?: () => WorkerLike;
}

/** A line of output. */
export interface LineEvent {
  readonly data: string;
}

interface Job {
  /** Whether only a stop ends it, or `ponderhit` if it ponders. */
  isEndless: boolean;
  ponders: boolean;
  isStopped: boolean;
}

async function moduleOf({ wasm }: EngineOptions): Promise<WebAssembly.Module> {
  return compile(((await wasm) as File | WebAssembly.Module | undefined) ?? system().files().wasm);
}

async function bookOf({ book }: EngineOptions): Promise<Uint8Array | null> {
  const file = await book;
  return file === false ? null : read(file ?? system().files().book);
}

const JOBS = new Set(["go", "perft", "bench"]);

const needsStop = (job: Job): boolean => job.isEndless && !job.isStopped;

/** An engine in its own worker. */
export class Engine {
  /** Called with each line of output. */
  onmessage: ((event: LineEvent) => void) | null = null;
  /** Called once if the engine fails. The engine is unusable then. */
  onerror: ((error: Error) => void) | null = null;
  /** Called once after `quit` and the answers to all earlier lines. */
  onend: (() => void) | null = null;
  /** Whether a stop uses shared memory (microseconds). Otherwise it takes up to 50 ms. */
  readonly isIsolated: boolean;
  /**
   * Whether `stop` can end a search. A page from disk may be unable to do so: give searches a limit there, or terminate the
   * engine.
   */
  get isStoppable(): boolean {
    return this.#isStoppable;
  }
  #isStoppable = false;
  readonly #stop: StopWriter;
  /** Jobs by line number, in order. */
  readonly #jobs = new Map<number, Job>();
  readonly #listeners = new Set<(line: string) => void>();
  readonly #failures = new Set<(error: Error) => void>();
  #worker: Started | null = null;
  /** Why the engine accepts no more lines. */
  #end: string | null = null;
  #isOver = false;
  #sent = 0;
  /** Lines after a `wait`, not processed yet. */
  readonly #lines: string[] = [];
  /** Whether lines wait for the end of all jobs. */
  #isWaiting = false;
  /** Whether an infinite or pondering search has ended by itself. A later line releases its answer. */
  #isAnswerHeldBack = false;

  private constructor() {
    this.isIsolated = system().isIsolated();
    this.#stop = new StopWriter(this.isIsolated);
  }

  /** Starts an engine. Resolves when it accepts lines. Rejects if a file is unreadable or wrong. */
  static async create(options: EngineOptions = {}): Promise<Engine> {
    const engine = new Engine();
    try {
      await engine.#start(options);
    } catch (error) {
      engine.terminate();
      throw error;
    }
    return engine;
  }

  async #start(options: EngineOptions): Promise<void> {
    const files = [moduleOf(options), bookOf(options)] as const;
    const started = new Promise<void>((resolve, reject) => {
      const receive = (message: Response): void => {
        if (message.type === "started") {
          this.#isStoppable = message.isStoppable;
          resolve();
        } else {
          this.#receive(message);
        }
      };
      const fail = (error: Error): void => {
        reject(error);
        this.#fail(error);
      };
      this.#failures.add(reject);
      const worker = options.worker ? listen(options.worker(), receive, fail) : system().start(receive, fail);
      this.#worker = worker;
      const prepared = files[0].then((module) => {
        const trial = this.#stop.name(0);
        worker.postMessage({ type: "module", module, stopped: this.#stop.shared, trial });
        return worker;
      });
      Promise.all([prepared, files[1]]).then(([worker, book]) => worker.postMessage({ type: "book", book }), reject);
    });
    try {
      await started;
    } finally {
      this.#stop.forget(0);
    }
  }

  /** Whether the engine accepts no more lines: after `terminate`, `quit` or a failure. */
  get isEnded(): boolean {
    return this.#end !== null;
  }

  /**
   * Sends a line. Lines are processed in order, but `stop` acts immediately unless it follows `wait`. Throws if the engine
   * has [ended](#isEnded).
   */
  postMessage(line: string): void {
    if (this.#end !== null) throw new Error(this.#end);
    if (commandOf(line)[0] === "quit") this.#end = "the engine takes no more lines: it has had `quit`";
    this.#lines.push(line);
    this.#read();
  }

  /** Processes waiting lines. After a `wait` only without jobs. */
  #read(): void {
    while (!this.#isWaiting || this.#jobs.size === 0) {
      const line = this.#lines.shift();
      if (line === undefined) return;
      this.#act(line);
    }
  }

  #act(line: string): void {
    const words = commandOf(line);
    const word = words[0] ?? "";
    this.#isWaiting = word === "wait" && ![...this.#jobs.values()].some(needsStop);
    if (word === "isready" && this.#jobs.size > 0) {
      // The thread is busy, so the handle answers.
      this.#emit("readyok");
      return;
    }
    const number = ++this.#sent;
    for (const job of this.#stoppedBy(word)) job.isStopped = true;
    this.#stopOldest();
    const isJob = JOBS.has(word);
    if (isJob) {
      const ponders = words.includes("ponder");
      this.#jobs.set(number, { isEndless: ponders || words.includes("infinite"), ponders, isStopped: false });
    }
    const signal = isJob ? this.#stop.name(number) : null;
    this.#worker?.postMessage({ type: "line", number, line, signal });
  }

  /** Stops the running job if necessary. Later jobs wait for their turn. */
  #stopOldest(): void {
    const [oldest] = this.#jobs;
    if (oldest?.[1].isStopped) this.#stop.stop(oldest[0]);
  }

  /** The jobs that a command stops, as in the native program. `ponderhit` stops a job here, too. */
  #stoppedBy(word: string): Job[] {
    const jobs = [...this.#jobs.values()].filter((job) => !job.isStopped);
    if (word === "quit") return jobs;
    if (word === "stop") return jobs.slice(0, 1);
    if (word === "ponderhit") return jobs.filter((job) => job.ponders).slice(0, 1);
    return JOBS.has(word) ? jobs.filter(needsStop) : [];
  }

  /** Sends a line. Resolves with all output up to the line that begins with `last`. Rejects if the engine fails or ends. */
  send(line: string, last: string): Promise<string[]> {
    if (this.#end !== null) return Promise.reject(new Error(this.#end));
    return new Promise((resolve, reject) => {
      const lines: string[] = [];
      const listener = (output: string): void => {
        lines.push(output);
        if (output !== last && !output.startsWith(`${last} `)) return;
        this.#listeners.delete(listener);
        this.#failures.delete(reject);
        resolve(lines);
      };
      this.#listeners.add(listener);
      this.#failures.add(reject);
      this.postMessage(line);
    });
  }

  /** Ends the worker immediately. Waiting calls of `send` reject. */
  terminate(): void {
    this.#finish(new Error("the engine takes no more lines: it was terminated"));
  }

  #finish(reason: Error): void {
    this.#end ??= reason.message;
    this.#isOver = true;
    for (const failure of this.#failures) failure(reason);
    this.#failures.clear();
    this.#listeners.clear();
    this.#lines.length = 0;
    this.#stop.stop(this.#sent);
    this.#worker?.terminate();
    this.#worker = null;
  }

  #receive(message: Response): void {
    // Messages may arrive after the end of the worker.
    if (this.#isOver) return;
    if (message.type === "line") {
      // The answer ends the oldest job, although the worker reports `done` later. A stop in between is for the next job.
      const [job] = this.#jobs.keys();
      if (message.line.startsWith("bestmove")) {
        if (job !== undefined && !this.#isAnswerHeldBack) this.#finishJob(job);
        this.#isAnswerHeldBack = false;
      }
      this.#emit(message.line);
      this.#read();
    } else if (message.type === "done") {
      if (this.#jobs.get(message.number)?.isEndless) this.#isAnswerHeldBack = true;
      this.#finishJob(message.number);
      this.#stop.forget(message.number);
      if (!message.goesOn) {
        this.#finish(new Error("the engine has ended after `quit`"));
        this.onend?.();
      }
      this.#read();
    } else if (message.type === "failed") {
      this.#fail(new Error(message.message));
    }
  }

  #finishJob(number: number): void {
    this.#jobs.delete(number);
    this.#stopOldest();
  }

  #emit(line: string): void {
    this.onmessage?.({ data: line });
    for (const listener of this.#listeners) listener(line);
  }

  #fail(error: Error): void {
    // The end of a terminated worker is not a failure.
    if (this.#isOver) return;
    this.#end = `the engine has failed: ${error.message}`;
    this.#finish(error);
    this.onerror?.(error);
  }
}
