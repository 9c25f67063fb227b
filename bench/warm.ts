import { open } from 'node:fs/promises';

const chunkBytes = 4 * 1024 * 1024;

/**
 * Reads files completely, so that the system caches them: the servers are measured, not the disk. The system
 * drops such caches within minutes, so call it before each operation.
 */
export async function warmCache(paths: readonly string[]): Promise<void> {
  const buffer = Buffer.alloc(chunkBytes);
  for (const path of paths) {
    const file = await open(path);
    try {
      while ((await file.read(buffer, 0, chunkBytes)).bytesRead > 0);
    } finally {
      await file.close();
    }
  }
}
