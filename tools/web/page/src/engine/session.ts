/** An engine with one job at a time: options, position, `go`, lines up to `bestmove`. */

import { Board } from "../game/board";
import type { LinePort } from "./connection";
import { type Info, parseBestMove, parseInfo } from "./info";

export interface Job {
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly board: Board;
  readonly position: string;
  readonly stones: number;
  readonly go: string;
  readonly onInfo?: (info: Info) => void;
}

export interface Answer {
  /** The best column. Undefined if the game is over or the job was cancelled. */
  readonly column: number | null;
  readonly complaint: string | null;
}

interface Running {
  readonly job: Job;
  readonly resolve: (answer: Answer) => void;
  isStopped: boolean;
  complaint: string | null;
}

export interface Handle {
  readonly answer: Promise<Answer>;
  /** Ends a waiting job immediately and a running job soon. */
  stop(): void;
}

/** Milliseconds for a stop before the engine is replaced, and after the first replacement. */
const STOP_TIME = 300;
const STOP_TIME_AFTER_FAULT = 30;

const BOARD = "Board";

const defaults = (): Map<string, string> => new Map([[BOARD, Board.STANDARD.name]]);

export class EngineSession {
  /** Undefined while a new engine starts. */
  #port: LinePort | null;
  #stopTime = STOP_TIME;
  #current: Running | null = null;
  #queue: Running[] = [];
  #sent = defaults();
  #next: LinePort | null = null;

  constructor(
    port: LinePort,
    readonly reconnect: () => Promise<LinePort>,
    readonly onFailure: (message: string) => void,
  ) {
    this.#port = port;
    this.#listen(port);
  }

  replace(port: LinePort): void {
    this.#next = port;
    if (this.#current === null) this.#takeNext();
  }

  start(job: Job): Handle {
    let running: Running | null = null;
    const answer = new Promise<Answer>((resolve) => {
      running = { job, resolve, isStopped: false, complaint: null };
      this.#queue.push(running);
    });
    this.#advance();
    return { answer, stop: () => running !== null && this.#stop(running) };
  }

  #stop(running: Running): void {
    if (running.isStopped) return;
    running.isStopped = true;
    if (running === this.#current) {
      this.#port?.postMessage("stop");
      setTimeout(() => this.#breakOff(running), this.#stopTime);
    } else if (this.#queue.includes(running)) {
      this.#queue = this.#queue.filter((other) => other !== running);
      running.resolve({ column: null, complaint: null });
    }
  }

  /** Replaces an engine that does not obey a stop, as in a page from disk. */
  #breakOff(running: Running): void {
    if (running !== this.#current || this.#port === null) return;
    this.#stopTime = STOP_TIME_AFTER_FAULT;
    this.#current = null;
    this.#close(this.#port);
    this.#port = null;
    running.resolve({ column: null, complaint: null });
    this.reconnect().then(
      (port) => {
        this.#open(port);
        this.#advance();
      },
      (error: unknown) => this.onFailure(error instanceof Error ? error.message : String(error)),
    );
  }

  #takeNext(): void {
    if (this.#next === null || this.#port === null) return;
    this.#close(this.#port);
    this.#open(this.#next);
    this.#next = null;
  }

  #open(port: LinePort): void {
    this.#port = port;
    this.#sent = defaults();
    this.#listen(port);
  }

  #close(port: LinePort): void {
    port.onmessage = null;
    port.terminate();
  }

  #listen(port: LinePort): void {
    port.onmessage = ({ data }) => this.#receive(data);
    port.onerror = (error) => {
      this.#port = null;
      this.onFailure(error.message);
    };
  }

  #advance(): void {
    if (this.#current !== null) return;
    this.#takeNext();
    const port = this.#port;
    const running = port === null ? undefined : this.#queue.shift();
    if (port === null || running === undefined) return;
    this.#current = running;
    // The size comes first, because it clears the table.
    for (const [name, value] of Object.entries({ [BOARD]: running.job.board.name, ...running.job.options })) {
      const text = String(value);
      if (this.#sent.get(name) === text) continue;
      this.#sent.set(name, text);
      port.postMessage(`setoption name ${name} value ${text}`);
    }
    port.postMessage(running.job.position);
    port.postMessage(running.job.go);
  }

  #receive(line: string): void {
    const current = this.#current;
    if (current === null) return;
    if (line.startsWith("bestmove")) {
      this.#current = null;
      current.resolve({
        column: current.isStopped ? null : parseBestMove(line),
        complaint: current.complaint,
      });
      this.#advance();
      return;
    }
    if (line.startsWith("info string")) current.complaint = line.slice("info string ".length);
    if (current.isStopped) return;
    const info = parseInfo(line, current.job.stones, current.job.board);
    if (info !== null) current.job.onInfo?.(info);
  }
}
