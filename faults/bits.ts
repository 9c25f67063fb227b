import { readFileSync, writeFileSync } from 'node:fs';
import type { Random } from '../server/demo/random.ts';

/** Flips one bit of a byte. */
export function flipBit(bytes: Buffer, offset: number, random: Random): void {
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << random.integerBetween(0, 7));
}

/** Writes a copy of a file with one flipped bit. Returns the offset of the byte. */
export function copyWithFlippedBit(sourcePath: string, targetPath: string, random: Random): number {
  const bytes = readFileSync(sourcePath);
  const offset = random.integerBetween(0, bytes.length - 1);
  flipBit(bytes, offset, random);
  writeFileSync(targetPath, bytes);
  return offset;
}

/**
 * Returns a random offset inside a text in the bytes of a database file. Returns undefined if the start of
 * the text is not found. The offset is on the first page of a long text, because SQLite stores the remainder
 * on other pages.
 */
export function pickOffsetInText(bytes: Buffer, text: string, random: Random): number | undefined {
  const body = Buffer.from(text);
  const start = bytes.indexOf(body.subarray(0, 160));
  if (start === -1) return undefined;
  let length = 160;
  while (length < body.length && bytes[start + length] === body[length]) length += 1;
  return start + random.integerBetween(0, length - 1);
}
