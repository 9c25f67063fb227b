import { open } from 'node:fs/promises';

const chunk = 4 * 1024 * 1024;

/**
 * Reads files to their ends, so that the system holds them in memory: what is measured is the servers, not the disk
 * that a machine has. A system gives such memory away within minutes, hence before each operation.
 */
export async function warm(paths: readonly string[]): Promise<void> {
  const buffer = Buffer.alloc(chunk);
  for (const path of paths) {
    const file = await open(path);
    try {
      while ((await file.read(buffer, 0, chunk)).bytesRead > 0);
    } finally {
      await file.close();
    }
  }
}
