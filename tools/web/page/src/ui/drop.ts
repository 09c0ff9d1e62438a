/** Files that were dropped on the page, with those in dropped folders. */

import type { NamedFile } from "../match/open_files";

/** No more files than this are looked at in a folder. */
const MOST = 2000;

export async function filesOfDrop(transfer: DataTransfer): Promise<NamedFile[]> {
  // The list is empty once this function has given way, so that all entries are taken first.
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
