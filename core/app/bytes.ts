/** The pieces one behind the other, in new memory. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** A byte sequence that grows at its end; appending costs constant time per byte. */
export class GrowingBytes {
  private memory = new Uint8Array(256);
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** Copies the piece, since a stream may reuse the memory of its chunk. */
  append(piece: Uint8Array): void {
    const needed = this.size + piece.length;
    if (needed > this.memory.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.memory.length));
      larger.set(this.view());
      this.memory = larger;
    }
    this.memory.set(piece, this.size);
    this.size = needed;
  }

  /** Returns the present content without a copy; valid until the next change. */
  view(): Uint8Array<ArrayBuffer> {
    return this.memory.subarray(0, this.size);
  }

  /** Returns a copy of the content, then starts empty. */
  take(): Uint8Array<ArrayBuffer> {
    const content = this.memory.slice(0, this.size);
    this.size = 0;
    return content;
  }
}
