import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** Bytes that are written together. */
const portionBytes = 64 * 1024;

const folderIn = (dataDir: string) => join(dataDir, 'spool');

/** Removes the temporary files that a killed process left in a data folder. Call it before the first import. */
export function clearSpool(dataDir: string): void {
  rmSync(folderIn(dataDir), { recursive: true, force: true });
}

/**
 * Writes all chunks to a temporary file of a data folder that only this user can read, and yields the items of that file. If a
 * chunk fails, the chunks before it are yielded before the failure is thrown. The file is removed at the end.
 *
 * @param readItems - Reads the items of the file with this path.
 */
export async function* readSpooled<Item>(
  dataDir: string,
  chunks: AsyncIterable<string | Uint8Array>,
  readItems: (path: string) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  await mkdir(folderIn(dataDir), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(folderIn(dataDir), 'import-'));
  try {
    const path = join(folder, 'spool');
    const failure = await writeAll(chunks, path);
    yield* readItems(path);
    if (failure) throw failure.error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the chunks to a new file. Returns the failure of the source, if any. */
async function writeAll(
  chunks: AsyncIterable<string | Uint8Array>,
  path: string,
): Promise<{ readonly error: unknown } | undefined> {
  const file = await open(path, 'wx', 0o600);
  let pendingChunks: Uint8Array[] = [];
  let length = 0;
  const flush = async () => {
    await file.writeFile(Buffer.concat(pendingChunks));
    pendingChunks = [];
    length = 0;
  };
  try {
    try {
      for await (const chunk of chunks) {
        const bytes = Buffer.from(chunk);
        pendingChunks.push(bytes);
        length += bytes.length;
        if (length >= portionBytes) await flush();
        // Other requests run first, because the store is synchronous.
        await setImmediate();
      }
    } catch (error) {
      return { error };
    } finally {
      await flush();
    }
    return undefined;
  } finally {
    await file.close();
  }
}
