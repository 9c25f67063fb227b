/** Precedes the fuses in Electron's program (electron/fuses). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** Bytes of a program that does nothing but to hold a fuse wire: a digit a fuse, `1` on, `0` off, `r` removed. */
export function fakeProgram(wire: string): Buffer {
  const head = Buffer.from(`\x7fELF${'x'.repeat(100)}${sentinel}`, 'latin1');
  return Buffer.concat([head, Buffer.from([1, wire.length]), Buffer.from(`${wire}${'y'.repeat(100)}`)]);
}
