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

import { compile, type File, read } from "./files.js";
import type { Request, Response } from "./messages.js";
import { StopWriter } from "./stop_signal.js";

export type { File } from "./files.js";

/** A worker, of a page or of Node. */
interface WorkerLike {
  postMessage(message: Request): void;
  terminate(): unknown;
}

/** How an engine is started. */
export interface EngineOptions {
  /** The module, compiled or not; by default the file of this package. */
  wasm?: File | WebAssembly.Module | Promise<WebAssembly.Module>;
  /** The opening book of 4 MB, by default the file of this package; `false` for none. */
  book?: File | false | Promise<File | false>;
  /** Makes the worker, for programs that bundle it in a way of their own. */
  worker?: () => Worker;
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
  return compile((await wasm) ?? new URL("./plumb.wasm", import.meta.url));
}

async function bookOf({ book }: EngineOptions): Promise<Uint8Array | null> {
  const file = await book;
  return file === false ? null : read(file ?? new URL("./plumb.book", import.meta.url));
}

const JOBS = new Set(["go", "perft", "bench"]);

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
  #worker: WorkerLike | null = null;
  #isEnded = false;
  #sent = 0;

  private constructor() {
    const inPage = typeof window !== "undefined" || typeof process === "undefined";
    this.isIsolated = inPage ? globalThis.crossOriginIsolated === true : true;
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
      const opened = this.#open(options.worker, receive, fail).then((worker) => {
        this.#worker = worker;
        if (this.#isEnded) this.terminate();
        return worker;
      });
      const prepared = Promise.all([opened, files[0]]).then(([worker, module]) => {
        const trial = this.#stop.name(0);
        worker.postMessage({ type: "module", module, stopped: this.#stop.shared, trial });
        return worker;
      });
      Promise.all([prepared, files[1]]).then(([worker, book]) => worker.postMessage({ type: "book", book }), reject);
    });
    try {
      await started;
    } finally {
      this.#failures.clear();
      this.#stop.forget(0);
    }
  }

  async #open(
    make: (() => Worker) | undefined,
    receive: (message: Response) => void,
    fail: (error: Error) => void,
  ): Promise<WorkerLike> {
    if (make === undefined && typeof Worker === "undefined") {
      const threads = await import(/* @vite-ignore */ "node:worker_threads");
      const worker = new threads.Worker(new URL("./worker.js", import.meta.url));
      worker.on("message", receive);
      worker.on("error", fail);
      return worker;
    }
    const worker = make?.() ?? new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", (event: MessageEvent<Response>) => receive(event.data));
    worker.addEventListener("error", (event) => fail(new Error(event.message || "the worker cannot be started")));
    return worker;
  }

  /** Hands over one line. It is acted on after the lines before it, but a stop is obeyed at once. */
  postMessage(line: string): void {
    const words = line.trim().split(/\s+/);
    const word = words[0] ?? "";
    if (word === "isready" && this.#jobs.size > 0) {
      // The engine is ready to listen, but its thread is at work.
      this.#emit("readyok");
      return;
    }
    const number = ++this.#sent;
    for (const [earlier, job] of this.#stoppedBy(word)) {
      job.isStopped = true;
      this.#stop.stop(earlier);
    }
    const isJob = JOBS.has(word);
    if (isJob) {
      const ponders = words.includes("ponder");
      this.#jobs.set(number, { isEndless: ponders || words.includes("infinite"), ponders, isStopped: false });
    }
    const signal = isJob ? this.#stop.name(number) : null;
    this.#worker?.postMessage({ type: "line", number, line, signal });
  }

  /** The jobs that a line with this first word stops, as the daemon has it. */
  #stoppedBy(word: string): [number, Job][] {
    const jobs = [...this.#jobs].filter(([, job]) => !job.isStopped);
    if (word === "quit") return jobs;
    if (word === "stop") return jobs.slice(0, 1);
    if (word === "ponderhit") return jobs.filter(([, job]) => job.ponders).slice(0, 1);
    return JOBS.has(word) ? jobs.filter(([, job]) => job.isEndless) : [];
  }

  /**
   * Hands over one line; resolves, once a line of output begins with the word `last`, with all lines of output up to that
   * one. Fails if the engine does.
   */
  send(line: string, last: string): Promise<string[]> {
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

  /** Ends the worker at once. */
  terminate(): void {
    this.#isEnded = true;
    this.#stop.stop(this.#sent);
    this.#worker?.terminate();
    this.#worker = null;
  }

  #receive(message: Response): void {
    if (message.type === "line") {
      // The oldest job is the one at work. With its answer it is over, though the worker says so only afterwards: a stop
      // that comes in between is meant for the next one.
      const [job] = this.#jobs.keys();
      if (job !== undefined && message.line.startsWith("bestmove")) this.#jobs.delete(job);
      this.#emit(message.line);
    } else if (message.type === "done") {
      this.#jobs.delete(message.number);
      this.#stop.forget(message.number);
      if (!message.goesOn) {
        this.terminate();
        this.onend?.();
      }
    } else if (message.type === "failed") {
      this.#fail(new Error(message.message));
    }
  }

  #emit(line: string): void {
    this.onmessage?.({ data: line });
    for (const listener of this.#listeners) listener(line);
  }

  #fail(error: Error): void {
    for (const failure of this.#failures) failure(error);
    this.#failures.clear();
    this.onerror?.(error);
    this.terminate();
  }
}
