import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until a file's content is on the disk. */
export function syncFile(path: string): void {
  // Windows lets only a handle that may write do so.
  syncOpened(openSync(path, 'r+'));
}

/** Waits until a folder's entries are on the disk; Windows opens no folder, and keeps its entries in order itself. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') syncOpened(openSync(path, 'r'));
}

function syncOpened(file: number): void {
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
