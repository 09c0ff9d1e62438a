/** The opening book: a file beside the page, kept by the browser once an engine has taken it. */

const FILE = "plumb.book";
const CACHE = "plumb-book-1";

/** The book from the browser's own store; nothing if it is not there. */
export const bookFromCache = (): Promise<Uint8Array | null> =>
  withStore(async (store) => {
    const response = await store.match(bookUrl());
    return response === undefined ? null : new Uint8Array(await response.arrayBuffer());
  });

/** The book from the server; nothing if the page comes from a file, or the server has none. */
export async function bookFromServer(): Promise<Uint8Array | null> {
  if (!location.protocol.startsWith("http")) return null;
  try {
    const response = await fetch(bookUrl());
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** Lets the browser keep a book that an engine has taken. */
export const keepBook = (bytes: Uint8Array): Promise<unknown> =>
  withStore(async (store) => {
    if ((await store.match(bookUrl())) === undefined) await store.put(bookUrl(), new Response(bytes as BodyInit));
  });

/** Lets the browser forget a file that is no book: some servers answer every name with a page of HTML. */
export const forgetBook = (): Promise<unknown> => withStore((store) => store.delete(bookUrl()));

/** Does something with the store. Pages that are not served securely have none; they fetch the book each time. */
async function withStore<T>(action: (store: Cache) => Promise<T>): Promise<T | null> {
  try {
    return await action(await caches.open(CACHE));
  } catch {
    return null;
  }
}

const bookUrl = (): string => new URL(FILE, location.href.replace(/[#?].*$/, "")).href;
