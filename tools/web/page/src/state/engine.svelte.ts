/** The engine of the page, started once. The book follows when it is loaded. */

import { bookFromCache, bookFromServer, forgetBook, keepBook } from "../engine/book";
import { connect } from "../engine/connection";
import { EngineSession, type Handle, type Job } from "../engine/session";
import { load, save } from "./storage";

/** Milliseconds that the first job waits for the book. */
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
      // A wrong book must not disable the engine.
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

  /** A late book: an engine with the book takes over. */
  async #addBook(session: EngineSession, fetched: Promise<Uint8Array | null>): Promise<void> {
    const book = await fetched;
    try {
      if (book !== null) session.replace(await connect(fetched));
      this.#setBook(book);
    } catch {
      // The engine without a book continues.
      this.#setBook(null);
    }
  }

  #setBook(book: Uint8Array | null): void {
    this.#bytes = book;
    this.book = book === null ? "none" : "here";
    void (book === null ? forgetBook() : keepBook(book));
  }

  #fail(message: string): void {
    this.state = "failed";
    this.fault = message;
  }

  /** Starts a job. `state` reports an engine that cannot start. Jobs that solve request the chosen size of the table. */
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
