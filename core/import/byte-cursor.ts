/** Reads bytes in order, with a look ahead over a part that is not consumed yet. */
export class ByteCursor {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private memory = new Uint8Array(64 * 1024);
  private start = 0;
  private end = 0;
  /** Count of the bytes that were consumed. */
  consumed = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** The bytes that were read and not consumed. Valid until the next change. */
  get view(): Uint8Array<ArrayBuffer> {
    return this.memory.subarray(this.start, this.end);
  }

  /** Reads another chunk. Returns false at the end of the input. */
  async readChunk(): Promise<boolean> {
    const next = await this.chunks.next();
    if (next.done === true) return false;
    this.append(next.value);
    return true;
  }

  consume(count: number): void {
    this.start += count;
    this.consumed += count;
  }

  private append(chunk: Uint8Array): void {
    const length = this.end - this.start;
    const needed = length + chunk.length;
    if (this.end + chunk.length > this.memory.length) {
      const memory = needed > this.memory.length / 2 ? new Uint8Array(2 * needed) : this.memory;
      memory.set(this.view);
      this.memory = memory;
      this.start = 0;
      this.end = length;
    }
    this.memory.set(chunk, this.end);
    this.end += chunk.length;
  }
}
