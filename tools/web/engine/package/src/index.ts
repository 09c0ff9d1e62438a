/**
 * The Connect Four engine Plumb in WebAssembly.
 *
 * An engine takes the lines of the program `plumb` and gives its lines, as the protocol UCI has them:
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

/** How an engine is started. */
export interface EngineOptions {
  /** The module, a `WebAssembly.Module` or its file; by default the file of this package. */
  wasm?: File | object | Promise<File | object>;
  /** The opening book of 4 MB, by default the file of this package; `false` for none. */
  book?: File | false | Promise<File | false>;
  /** Makes the worker, for programs that bundle it in a way of their own. */
  worker?: () => WorkerLike;
}

/** A line of output, in the form of a worker's message. */
export interface LineEvent {
  readonly data: string;
}

/** A search, a count or a benchmark that the worker has not finished. */
interface Job {
  /** Whether only a stop or, if it ponders, `ponderhit` ends it. */
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

/** Whether a job would not end by itself. */
const needsStop = (job: Job): boolean => job.isEndless && !job.isStopped;

/** An engine in a worker of its own. */
export class Engine {
  /** Called with each line of output. */
  onmessage: ((event: LineEvent) => void) | null = null;
  /** Called once if the engine fails, for want of memory or by a fault; it is of no use then. */
  onerror: ((error: Error) => void) | null = null;
  /** Called once after `quit`, when all lines before it have been answered. */
  onend: (() => void) | null = null;
  /** Whether a stop goes through shared memory, in microseconds, and not by another way, within 50 ms. */
  readonly isIsolated: boolean;
  /**
   * Whether a stop ends a search. In a page from disk browsers may keep the worker from noticing it: searches need a limit
   * there, or the engine has to be terminated.
   */
  get isStoppable(): boolean {
    return this.#isStoppable;
  }
  #isStoppable = false;
  readonly #stop: StopWriter;
  /** The jobs by the numbers of their lines, in order. */
  readonly #jobs = new Map<number, Job>();
  readonly #listeners = new Set<(line: string) => void>();
  readonly #failures = new Set<(error: Error) => void>();
  #worker: Started | null = null;
  /** Why no more lines are taken. */
  #end: string | null = null;
  /** Whether the worker has ended, too. */
  #isOver = false;
  #sent = 0;
  /** The lines that have not been acted on yet: those after a `wait`. */
  readonly #lines: string[] = [];
  /** Whether lines are held back while there are jobs. */
  #isWaiting = false;
  /** Whether an infinite or pondering search has ended by itself, so that a later line brings its answer. */
  #isAnswerHeldBack = false;

  private constructor() {
    this.isIsolated = system().isIsolated();
    this.#stop = new StopWriter(this.isIsolated);
  }

  /** Starts an engine; resolves when it takes lines. Fails if a file cannot be read or is not what it should be. */
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
    // All three at the same time.
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

  /** Whether lines are taken no more: after `terminate`, after `quit` and after a failure. */
  get isEnded(): boolean {
    return this.#end !== null;
  }

  /**
   * Hands over one line. It is acted on after the lines before it, but a stop is obeyed at once, unless it comes after
   * `wait`. Throws if the engine has [ended](#isEnded).
   */
  postMessage(line: string): void {
    if (this.#end !== null) throw new Error(this.#end);
    if (commandOf(line)[0] === "quit") this.#end = "the engine takes no more lines: it has had `quit`";
    this.#lines.push(line);
    this.#read();
  }

  /** Acts on the lines there are, after a `wait` only when no job is left. */
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
      // The engine is ready to listen, but its thread is at work.
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

  /** Lets the worker know if the job at work is to stop. Those behind it wait for their turn: a stop is for all before it. */
  #stopOldest(): void {
    const [oldest] = this.#jobs;
    if (oldest?.[1].isStopped) this.#stop.stop(oldest[0]);
  }

  /** The jobs that this command stops, as the daemon has it; `ponderhit` stops one here, too. */
  #stoppedBy(word: string): Job[] {
    const jobs = [...this.#jobs.values()].filter((job) => !job.isStopped);
    if (word === "quit") return jobs;
    if (word === "stop") return jobs.slice(0, 1);
    if (word === "ponderhit") return jobs.filter((job) => job.ponders).slice(0, 1);
    return JOBS.has(word) ? jobs.filter(needsStop) : [];
  }

  /**
   * Hands over one line; resolves, once a line of output begins with the word `last`, with all lines of output up to that
   * one. Fails if the engine fails, or ends before that.
   */
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

  /** Ends the worker at once. What waits for a line fails. */
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
    // Messages that were under way come after the end of the worker.
    if (this.#isOver) return;
    if (message.type === "line") {
      // The oldest job is the one at work. With its answer it is over, though the worker says so only afterwards: a stop
      // that comes in between is meant for the next one.
      const [job] = this.#jobs.keys();
      if (message.line.startsWith("bestmove")) {
        if (job !== undefined && !this.#isAnswerHeldBack) this.#finishJob(job);
        this.#isAnswerHeldBack = false;
      }
      this.#emit(message.line);
      this.#read();
    } else if (message.type === "done") {
      // A search that has answered is no job any more.
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
    // The end of a worker that was terminated is no failure.
    if (this.#isOver) return;
    this.#end = `the engine has failed: ${error.message}`;
    this.#finish(error);
    this.onerror?.(error);
  }
}
