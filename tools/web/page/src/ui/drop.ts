/** Dropped files, including files in folders. */

import type { NamedFile } from "../match/open_files";

/** Files per folder. */
const MOST = 2000;

export async function filesOfDrop(transfer: DataTransfer): Promise<NamedFile[]> {
  // The list is empty after the first `await`, so read all entries first.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  const found: NamedFile[] = [];
  for (const [index, entry] of entries.entries()) {
    const file = files[index];
    if (entry?.isDirectory) await walk(entry as FileSystemDirectoryEntry, found);
    else if (file !== undefined) found.push(file);
  }
  return found.length > 0 ? found : files;
}

async function walk(folder: FileSystemDirectoryEntry, found: NamedFile[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0 || found.length >= MOST) return;
    for (const entry of entries) {
      if (entry.isFile) {
        found.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
      } else {
        await walk(entry as FileSystemDirectoryEntry, found);
      }
    }
  }
}
