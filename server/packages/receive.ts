import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes what comes to a new file at `path`; false where it is more than `limit` bytes, and nothing is left of it then.
 * Rejects where it breaks off, or the disk takes no more, and leaves nothing either.
 */
export async function receive(source: Readable, path: string, limit: number): Promise<boolean> {
  let length = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      // Of what is too much some is thrown away: its sender looks for an answer once it has sent all.
      if (length > 2 * limit) done(new RangeError('too large'));
      else if (length > limit) done();
      else done(null, chunk);
    },
  });
  let failed: { readonly error: unknown } | undefined;
  await pipeline(source, bounded, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })).catch(
    (error: unknown) => {
      failed = { error };
    },
  );
  const within = length <= limit;
  if (!failed && within) return true;
  await rm(path, { force: true });
  if (failed && within) throw failed.error;
  return false;
}
