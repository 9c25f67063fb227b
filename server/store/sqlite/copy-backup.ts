import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { draftOf } from './backup-folder.ts';
import { manifestOf } from './manifest.ts';

/** A copy is not the same as what was copied: the disk that it lies on is not good. */
export class NotTheSame extends Error {
  override readonly name = 'NotTheSame';
}

/** Bytes that are summed up at once, in about a millisecond. */
const slice = 256 * 1024;

/**
 * Copies a backup with its manifest into another folder, where it bears its name once it is on the disk and was compared
 * with the original. Other requests are answered meanwhile.
 *
 * @throws NotTheSame, or what the disk says; then no half of it is left.
 */
export async function copyBackup(backup: string, folder: string): Promise<void> {
  const copy = join(folder, basename(backup));
  const draft = draftOf(copy);
  try {
    const sum = await copySummed(backup, draft);
    if ((await sumOf(draft)) !== sum) throw new NotTheSame(`${copy} was not written as it was sent.`);
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

async function copySummed(from: string, to: string): Promise<string> {
  const sum = createHash('sha256');
  await rm(to, { force: true });
  await pipeline(
    createReadStream(from, { highWaterMark: slice }),
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

async function sumOf(path: string): Promise<string> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: slice }), sum);
  return sum.digest('hex');
}

async function syncEntries(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
