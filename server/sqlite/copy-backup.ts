import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { draftOf } from './backup-folder.ts';
import { manifestOf } from './manifest.ts';

/** A copy differs from its original, so the target disk is unreliable. */
export class CopyMismatchError extends Error {
  override readonly name = 'CopyMismatchError';
}

/** Bytes hashed at once, in about a millisecond. */
const maxChunkBytes = 256 * 1024;

/**
 * Copies a backup and its manifest into another folder. Renames the copy after it was synced and compared with the
 * original. Other requests are answered in between.
 *
 * @throws CopyMismatchError or a file system error. No partial copy remains.
 */
export async function copyBackup(backup: string, folder: string): Promise<void> {
  const copy = join(folder, basename(backup));
  const draft = draftOf(copy);
  try {
    const sum = await copyWithChecksum(backup, draft);
    if ((await computeChecksum(draft)) !== sum)
      throw new CopyMismatchError(`${copy} differs from what was written to it.`);
    if (existsSync(manifestOf(backup))) {
      await rm(manifestOf(copy), { force: true });
      await writeFile(manifestOf(copy), await readFile(manifestOf(backup)), { mode: 0o600, flush: true });
    }
    await rename(draft, copy);
    await syncEntries(folder);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function copyWithChecksum(from: string, to: string): Promise<string> {
  const sum = createHash('sha256');
  await rm(to, { force: true });
  await pipeline(
    createReadStream(from, { highWaterMark: maxChunkBytes }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sum.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return sum.digest('hex');
}

async function computeChecksum(path: string): Promise<string> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: maxChunkBytes }), sum);
  return sum.digest('hex');
}

async function syncEntries(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
