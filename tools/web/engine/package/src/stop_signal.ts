/**
 * How a worker that is at work learns of a stop. It reads no messages meanwhile, so there are two other ways.
 *
 * - Shared memory, where the page is cross-origin isolated, and in Node: one number, that of the last line to stop.
 * - Elsewhere the name of a file in the page's memory (a blob URL) comes with each line. The page withdraws the name to stop
 *   the line, and the worker, which asks for the file from time to time, then does not find it.
 */

/** Time between two questions for the file, in milliseconds: half of what a stop may take. */
const INTERVAL = 25;

/** The worker's side. */
export class StopReader {
  #line = 0;
  #signal: string | null = null;
  #isStopped = false;
  #lastRead = 0;
  readonly #stopped: Int32Array | null;
  readonly #canReadBlobs: boolean;

  /** `trial` is the name of a file that exists, to find out whether the worker may read such files at all. */
  constructor(stopped: Int32Array | null, trial: string | null) {
    this.#stopped = stopped;
    this.#canReadBlobs = trial !== null && exists(trial);
  }

  /** Whether a stop reaches the worker in the middle of a search. */
  get isStoppable(): boolean {
    return this.#stopped !== null || this.#canReadBlobs;
  }

  /** Begins with a line. */
  begin(line: number, signal: string | null): void {
    this.#line = line;
    this.#signal = this.#canReadBlobs ? signal : null;
    this.#isStopped = false;
    this.#lastRead = performance.now();
  }

  /** Whether a stop has come for the line at work. */
  isStopped(): boolean {
    if (this.#stopped !== null) return Atomics.load(this.#stopped, 0) >= this.#line;
    if (this.#signal === null || this.#isStopped) return this.#isStopped;
    const now = performance.now();
    if (now - this.#lastRead >= INTERVAL) {
      this.#lastRead = now;
      this.#isStopped = !exists(this.#signal);
    }
    return this.#isStopped;
  }
}

/** Whether there is still a file of this name. */
function exists(url: string): boolean {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", url, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

/** The page's side. */
export class StopWriter {
  /** The memory that the worker reads, if there is any. */
  readonly shared: Int32Array | null;
  readonly #urls = new Map<number, string>();

  constructor(isIsolated: boolean) {
    this.shared = isIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  }

  /** A name to send along with this line, if it is needed. */
  name(line: number): string | null {
    if (this.shared !== null) return null;
    const url = URL.createObjectURL(new Blob(["1"], { type: "text/plain" }));
    this.#urls.set(line, url);
    return url;
  }

  /** Stops the lines up to this one. */
  stop(upTo: number): void {
    if (this.shared !== null) Atomics.store(this.shared, 0, upTo);
    for (const line of this.#urls.keys()) if (line <= upTo) this.forget(line);
  }

  /** Withdraws the name of a line that is done. */
  forget(line: number): void {
    const url = this.#urls.get(line);
    if (url === undefined) return;
    URL.revokeObjectURL(url);
    this.#urls.delete(line);
  }
}
