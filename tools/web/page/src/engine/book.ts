/** The opening book: a file next to the page. The browser keeps it after an engine has accepted it. */

const FILE = "plumb.book";
const CACHE = "plumb-book-1";

/** The book from the browser's store, if any. */
export const bookFromCache = (): Promise<Uint8Array | null> =>
  withStore(async (store) => {
    const response = await store.match(bookUrl());
    return response === undefined ? null : new Uint8Array(await response.arrayBuffer());
  });

/** The book from the server. Undefined for a page from disk or without a book. */
export async function bookFromServer(): Promise<Uint8Array | null> {
  if (!location.protocol.startsWith("http")) return null;
  try {
    const response = await fetch(bookUrl());
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

export const keepBook = (bytes: Uint8Array): Promise<unknown> =>
  withStore(async (store) => {
    if ((await store.match(bookUrl())) === undefined) await store.put(bookUrl(), new Response(bytes as BodyInit));
  });

/** Drops a file that is not a book. Some servers answer every name with HTML. */
export const forgetBook = (): Promise<unknown> => withStore((store) => store.delete(bookUrl()));

/** Pages without https have no store and fetch the book each time. */
async function withStore<T>(action: (store: Cache) => Promise<T>): Promise<T | null> {
  try {
    return await action(await caches.open(CACHE));
  } catch {
    return null;
  }
}

const bookUrl = (): string => new URL(FILE, location.href.replace(/[#?].*$/, "")).href;
