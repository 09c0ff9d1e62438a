/** The page's engine: started once, with the opening book as soon as that is there. */

import { bookFromCache, bookFromServer } from "../engine/book";
import { connect } from "../engine/connection";
import { EngineSession, type Handle, type Job } from "../engine/session";
import { load, save } from "./storage";

/** How long the first job may wait for the book, in milliseconds. */
const PATIENCE = 600;
export const HASH_SIZES = [16, 64, 128, 256];

class PageEngine {
  state = $state<"starting" | "ready" | "failed">("starting");
  /** Why the engine failed. */
  fault = $state("");
  book = $state<"loading" | "here" | "none">("loading");
  hash = $state(HASH_SIZES.find((size) => String(size) === load("hash")) ?? 64);
  #session: Promise<EngineSession> | null = null;
  /** The book of the engine at work. */
  #bytes: Uint8Array | null = null;
  /** Resolves with the first job. */
  readonly #wanted: Promise<void>;
  #want: () => void = () => undefined;

  constructor() {
    this.#wanted = new Promise((resolve) => (this.#want = resolve));
  }

  /** Starts the engine; a second call does nothing. */
  open(): Promise<EngineSession> {
    this.#session ??= this.#start().catch((error: unknown) => {
      this.#fail(error instanceof Error ? error.message : String(error));
      throw error;
    });
    return this.#session;
  }

  setHash(size: number): void {
    this.hash = size;
    save("hash", String(size));
  }

  async #start(): Promise<EngineSession> {
    const fetched = bookFromCache().then((book) => book ?? bookFromServer());
    const tooLate = this.#wanted.then(() => new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null)));
    const inTime = Promise.race([fetched, tooLate]);
    const session = new EngineSession(
      await connect(inTime),
      () => connect(Promise.resolve(this.#bytes)),
      (message) => this.#fail(message),
    );
    const book = await inTime;
    this.#bytes = book;
    this.state = "ready";
    if (book !== null) this.book = "here";
    else void this.#addBook(session, fetched);
    return session;
  }

  /** The book came late: an engine that has it takes over. */
  async #addBook(session: EngineSession, fetched: Promise<Uint8Array | null>): Promise<void> {
    const book = await fetched;
    if (book !== null) {
      try {
        session.replace(await connect(fetched));
        this.#bytes = book;
        this.book = "here";
        return;
      } catch {
        // The engine without a book goes on.
      }
    }
    this.book = "none";
  }

  #fail(message: string): void {
    this.state = "failed";
    this.fault = message;
  }

  /**
   * Starts a job. Nothing comes of it if the engine cannot be started; `state` says so then. Jobs that solve ask for the
   * table that was chosen; the engine begins with a smaller one, which is there sooner.
   */
  run(job: Job): Handle {
    this.#want();
    let isStopped = false;
    let handle: Handle | null = null;
    const none = { column: null, complaint: null };
    const answer = this.open().then(
      (session) => {
        if (isStopped) return none;
        handle = session.start(job);
        return handle.answer;
      },
      () => none,
    );
    return {
      answer,
      stop: () => {
        isStopped = true;
        handle?.stop();
      },
    };
  }
}

export const engine = new PageEngine();
