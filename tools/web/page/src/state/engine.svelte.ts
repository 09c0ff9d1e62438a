/** The page's engine: started once, with the opening book as soon as that is there. */

import { bookFromCache, bookFromServer, forgetBook, keepBook } from "../engine/book";
import { connect } from "../engine/connection";
import { EngineSession, type Handle, type Job } from "../engine/session";
import { load, save } from "./storage";

/** How long the first job may wait for the book, in milliseconds. */
const PATIENCE = 600;
export const HASH_SIZES = [16, 64, 128, 256];

class PageEngine {
  state = $state<"starting" | "ready" | "failed">("starting");
  fault = $state("");
  book = $state<"loading" | "here" | "none">("loading");
  hash = $state(HASH_SIZES.find((size) => String(size) === load("hash")) ?? 64);
  #session: Promise<EngineSession> | null = null;
  #bytes: Uint8Array | null = null;
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
    const taken = await connect(inTime).catch(() => null);
    const session = new EngineSession(
      // A file that is no book is no reason to have no engine.
      taken ?? (await connect(Promise.resolve(null))),
      () => connect(Promise.resolve(this.#bytes)),
      (message) => this.#fail(message),
    );
    const book = await inTime;
    this.state = "ready";
    if (book === null) void this.#addBook(session, fetched);
    else this.#setBook(taken === null ? null : book);
    return session;
  }

  /** The book came late: an engine that has it takes over. */
  async #addBook(session: EngineSession, fetched: Promise<Uint8Array | null>): Promise<void> {
    const book = await fetched;
    try {
      if (book !== null) session.replace(await connect(fetched));
      this.#setBook(book);
    } catch {
      // The engine without a book goes on.
      this.#setBook(null);
    }
  }

  /** Takes over the book of the engine at work, which has none if there is none or it was refused. */
  #setBook(book: Uint8Array | null): void {
    this.#bytes = book;
    this.book = book === null ? "none" : "here";
    void (book === null ? forgetBook() : keepBook(book));
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
