/** Returns the chunks joined in new memory. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Byte sequence that grows at its end. Appending costs constant time per byte. */
export class GrowingBytes {
  private memory = new Uint8Array(256);
  private size = 0;

  get length(): number {
    return this.size;
  }

  /** Copies the chunk, because a stream may reuse its memory. */
  append(chunk: Uint8Array): void {
    const needed = this.size + chunk.length;
    if (needed > this.memory.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.memory.length));
      larger.set(this.view());
      this.memory = larger;
    }
    this.memory.set(chunk, this.size);
    this.size = needed;
  }

  /** Returns the content without a copy. Valid until the next change. */
  view(): Uint8Array<ArrayBuffer> {
    return this.memory.subarray(0, this.size);
  }

  /** Returns a copy of the content and clears the sequence. */
  takeContent(): Uint8Array<ArrayBuffer> {
    const content = this.memory.slice(0, this.size);
    this.size = 0;
    return content;
  }
}
