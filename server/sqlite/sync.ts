import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the content of a file is on the disk. */
export function syncFile(path: string): void {
  // Windows requires a writable handle.
  syncOpened(openSync(path, 'r+'));
}

/**
 * Waits until the entries of a folder are on the disk. Windows can't open folders and keeps entries consistent itself.
 */
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
