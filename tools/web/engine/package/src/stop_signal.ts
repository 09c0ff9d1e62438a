/**
 * Signals a stop to a working worker, which reads no messages.
 *
 * - In cross-origin isolated pages and in Node: shared memory with the number of the last line to stop.
 * - Elsewhere: each line comes with the name of a file in memory (a blob URL). To stop the line, the page revokes the name.
 *   The worker requests the file from time to time and then does not find it.
 */

/** Milliseconds between requests for the file: half of the time for a stop. */
const INTERVAL = 25;

export class StopReader {
  #line = 0;
  #signal: string | null = null;
  #isStopped = false;
  #lastRead = 0;
  readonly #stopped: Int32Array | null;
  readonly #canReadBlobs: boolean;

  /** `trial` is an existing file. It shows whether the worker can read such files. */
  constructor(stopped: Int32Array | null, trial: string | null) {
    this.#stopped = stopped;
    this.#canReadBlobs = trial !== null && exists(trial);
  }

  /** Whether a stop reaches the worker during a search. */
  get isStoppable(): boolean {
    return this.#stopped !== null || this.#canReadBlobs;
  }

  begin(line: number, signal: string | null): void {
    this.#line = line;
    this.#signal = this.#canReadBlobs ? signal : null;
    this.#isStopped = false;
    this.#lastRead = performance.now();
  }

  /** Whether the current line must stop. */
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

export class StopWriter {
  /** Memory shared with the worker, if possible. */
  readonly shared: Int32Array | null;
  readonly #urls = new Map<number, string>();

  constructor(isIsolated: boolean) {
    this.shared = isIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
  }

  /** The file name to send with this line, if needed. */
  name(line: number): string | null {
    if (this.shared !== null) return null;
    const url = URL.createObjectURL(new Blob(["1"], { type: "text/plain" }));
    this.#urls.set(line, url);
    return url;
  }

  /** Stops all lines up to this number. */
  stop(upTo: number): void {
    if (this.shared !== null) Atomics.store(this.shared, 0, upTo);
    for (const line of this.#urls.keys()) if (line <= upTo) this.forget(line);
  }

  /** Withdraws the file name of a finished line. */
  forget(line: number): void {
    const url = this.#urls.get(line);
    if (url === undefined) return;
    URL.revokeObjectURL(url);
    this.#urls.delete(line);
  }
}
