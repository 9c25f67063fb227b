import { open, rm, type FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Writes an upload to a new file at `path`. Returns false and leaves no file if it exceeds `limit` bytes.
 * Rejects and leaves no file if it breaks off or the disk is full. On a full disk the upload is still read
 * to its end, because the sender expects a response only then.
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
  let writeFailure: { readonly error: unknown } | undefined;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Discards a limited part of an upload that is too large, not all of it.
    if (length > 2 * limit) return false;
    if (length > limit || writeFailure) continue;
    try {
      await file.appendFile(chunk);
    } catch (error) {
      writeFailure = { error };
    }
  }
  if (length > limit) return false;
  if (writeFailure) throw writeFailure.error;
  await file.sync();
  return true;
}
