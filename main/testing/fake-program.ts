/** Precedes the fuses in Electron's program (electron/fuses). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/**
 * Returns the bytes of a program that only contains a fuse wire: a digit per fuse, `1` on, `0` off, `r`
 * removed.
 */
export function createFakeProgram(wire: string): Buffer {
  const prefix = Buffer.from(`\x7fELF${'x'.repeat(100)}${sentinel}`, 'latin1');
  return Buffer.concat([prefix, Buffer.from([1, wire.length]), Buffer.from(`${wire}${'y'.repeat(100)}`)]);
}
