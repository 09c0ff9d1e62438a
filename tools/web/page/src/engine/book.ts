/** The opening book: a file beside the page, kept by the browser once it was fetched. */

const FILE = "plumb.book";
const CACHE = "plumb-book-1";

/** The book from the browser's own store; nothing if it is not there. */
export async function bookFromCache(): Promise<Uint8Array | null> {
  try {
    const response = await (await caches.open(CACHE)).match(bookUrl());
    return response === undefined ? null : new Uint8Array(await response.arrayBuffer());
  } catch {
    return null;
  }
}

/** The book from the server; nothing if the page comes from a file, or the server has none. */
export async function bookFromServer(): Promise<Uint8Array | null> {
  if (!location.protocol.startsWith("http")) return null;
  try {
    const response = await fetch(bookUrl());
    if (!response.ok) return null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    await keep(bytes);
    return bytes;
  } catch {
    return null;
  }
}

async function keep(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await (await caches.open(CACHE)).put(bookUrl(), new Response(bytes));
  } catch {
    // There is no store for pages that are not served securely; the book is fetched again next time.
  }
}

const bookUrl = (): string => new URL(FILE, location.href.replace(/[#?].*$/, "")).href;
