import { concatBytes, GrowingBytes } from './bytes.ts';

const code = (char: string) => char.charCodeAt(0);
const [quote, backslash, colon] = [code('"'), code('\\'), code(':')];
const [openObject, closeObject, openArray, closeArray] = [code('{'), code('}'), code('['), code(']')];

/** White space of JSON, and the comma between array items. */
const separators: ReadonlySet<number> = new Set([' ', '\t', '\r', '\n', ','].map(code));

const longestKey = 64;

/** Thrown if a chunk of the text exceeds the memory limit. */
export class ChunkTooLargeError extends Error {
  override readonly name = 'ChunkTooLargeError';
}

/**
 * Splits the bytes of one JSON text into the objects of its top-level `entry` array, so that a Bundle of any
 * size can be read. It tracks strings and nesting only. Readers of the entries must validate their JSON.
 */
export class BundleSplitter {
  private readonly limit: number;
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** Bytes of the current string at depth 1, which may be a key. */
  private string: number[] = [];
  private key = '';
  private inEntries = false;
  private inEntry = false;
  private hasEntries = false;
  private readonly entry = new GrowingBytes();
  private readonly remainder = new GrowingBytes();

  /**
   * Creates a splitter.
   *
   * @param limit - Maximum bytes of one entry, and of the text outside entries.
   */
  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Returns the entries that end in this chunk.
   *
   * @throws {ChunkTooLargeError} if one entry, or the text outside of all entries, exceeds the limit.
   */
  feed(chunk: Uint8Array): Uint8Array<ArrayBuffer>[] {
    const entries: Uint8Array<ArrayBuffer>[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const change = this.step(chunk[index] ?? 0);
      if (change === 'entry starts') {
        this.keepRemainder(chunk.subarray(start, index));
        start = index;
      } else if (change === 'entry ends') {
        this.append(this.entry, chunk.subarray(start, index + 1));
        entries.push(this.entry.takeContent());
        this.hasEntries = true;
        start = index + 1;
      }
    }
    if (this.inEntry) this.append(this.entry, chunk.subarray(start));
    else this.keepRemainder(chunk.subarray(start));
    return entries;
  }

  /** True if every opened object and array is closed. */
  get complete(): boolean {
    return this.depth === 0 && !this.inString;
  }

  /**
   * Returns the text outside the entries: for a Bundle everything but its entries and most commas between
   * them, for other JSON the whole text.
   */
  getOuterText(): Uint8Array<ArrayBuffer> {
    return concatBytes([this.remainder.view(), this.entry.view()]);
  }

  /** Drops separators between entries. A million of them would exceed the limit of the remainder. */
  private keepRemainder(chunk: Uint8Array): void {
    if (this.hasEntries && chunk.every((byte) => separators.has(byte))) return;
    this.append(this.remainder, chunk);
  }

  private append(bytes: GrowingBytes, chunk: Uint8Array): void {
    if (bytes.length + chunk.length > this.limit) throw new ChunkTooLargeError();
    bytes.append(chunk);
  }

  private step(byte: number): 'entry starts' | 'entry ends' | undefined {
    if (this.inString) {
      this.stepString(byte);
      return undefined;
    }
    switch (byte) {
      case quote:
        this.inString = true;
        this.string = [];
        return undefined;
      case colon:
        if (this.depth === 1) this.key = String.fromCharCode(...this.string);
        return undefined;
      case openObject:
      case openArray:
        this.depth += 1;
        if (this.depth === 2) this.inEntries = byte === openArray && this.key === 'entry';
        if (!this.inEntries || this.depth !== 3 || byte !== openObject) return undefined;
        this.inEntry = true;
        return 'entry starts';
      case closeObject:
      case closeArray:
        this.depth -= 1;
        if (!this.inEntry || this.depth !== 2) return undefined;
        this.inEntry = false;
        return 'entry ends';
      default:
        return undefined;
    }
  }

  private stepString(byte: number): void {
    // No searched key is longer. The start is enough to reject a longer string.
    if (this.depth === 1 && this.string.length <= longestKey) this.string.push(byte);
    if (this.escaped) this.escaped = false;
    else if (byte === backslash) this.escaped = true;
    else if (byte === quote) {
      this.inString = false;
      if (this.depth === 1 && this.string.length <= longestKey) this.string.pop();
    }
  }
}

/** Returns true if the text outside the entries has the resourceType Bundle. */
export function namesBundle(remainder: Uint8Array): boolean {
  return /"resourceType"\s*:\s*"Bundle"/.test(latin1(remainder));
}

/** Decodes each byte as one character. Enough to find ASCII. */
function latin1(bytes: Uint8Array): string {
  const step = 8192;
  let text = '';
  for (let offset = 0; offset < bytes.length; offset += step) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + step));
  }
  return text;
}
