import { readFileSync, writeFileSync } from 'node:fs';
import type { Random } from '../server/demo/random.ts';

/** Turns one bit of a byte of a file. */
export function flip(bytes: Buffer, at: number, random: Random): void {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
}

/** Writes a copy of a file in which one bit is turned; answers the byte's place. */
export function flipAnywhere(from: string, to: string, random: Random): number {
  const bytes = readFileSync(from);
  const at = random.between(0, bytes.length - 1);
  flip(bytes, at, random);
  writeFileSync(to, bytes);
  return at;
}

/**
 * A place inside a text as it lies in a database's file, by chance; undefined where the text's beginning is not found.
 * A long text goes on elsewhere: the place is in its first part.
 */
export function placeInside(bytes: Buffer, text: string, random: Random): number | undefined {
  const body = Buffer.from(text);
  const start = bytes.indexOf(body.subarray(0, 160));
  if (start === -1) return undefined;
  let length = 160;
  while (length < body.length && bytes[start + length] === body[length]) length += 1;
  return start + random.between(0, length - 1);
}
