import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Writes what comes to a new file at `path`; false where it is more than `limit` bytes, and nothing is left of it then.
 * Rejects where it breaks off, or the disk takes no more, and leaves nothing either. What a full disk does not take is
 * read to its end all the same: its sender looks for an answer once it has sent all.
 */
export async function receive(source: Readable, path: string, limit: number): Promise<boolean> {
  const file = await open(path, 'wx', 0o600);
  let isWhole = false;
  try {
    isWhole = await takeAll(source, file, limit);
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
  return isWhole;
}

async function takeAll(source: Readable, file: FileHandle, limit: number): Promise<boolean> {
  let length = 0;
  let failed: { readonly error: unknown } | undefined;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Of what is too much some is thrown away, and not all.
    if (length > 2 * limit) return false;
    if (length > limit || failed) continue;
    try {
      await file.appendFile(chunk);
    } catch (error) {
      failed = { error };
    }
  }
  if (length > limit) return false;
  if (failed) throw failed.error;
  await file.sync();
  return true;
}
