import { concatBytes, GrowingBytes } from './bytes.ts';

const code = (char: string) => char.charCodeAt(0);
const [quote, backslash, colon] = [code('"'), code('\\'), code(':')];
const [openObject, closeObject, openArray, closeArray] = [code('{'), code('}'), code('['), code(']')];

/** JSON's white space, and the comma between the items of an array. */
const separators: ReadonlySet<number> = new Set([' ', '\t', '\r', '\n', ','].map(code));

const longestKey = 64;

/** A piece of the text is larger than what may be held in memory. */
export class PieceTooLarge extends Error {
  override readonly name = 'PieceTooLarge';
}

/**
 * Takes the bytes of one JSON text as they come and hands over the objects of its top-level `entry` array one by one,
 * so that a Bundle of any size passes through. It follows strings and nesting alone: whether the pieces are JSON is for
 * those who read them.
 */
export class BundleSplitter {
  private readonly limit: number;
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** Bytes of the string at depth 1 that is being read, which may turn out to be a key. */
  private string: number[] = [];
  private key = '';
  private inEntries = false;
  private inEntry = false;
  private hasEntries = false;
  private readonly entry = new GrowingBytes();
  private readonly remainder = new GrowingBytes();

  /** `limit` is the most bytes of one entry, and of all that is no entry. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Returns the entries that end in this chunk.
   *
   * @throws {PieceTooLarge} if one entry, or the text outside of all entries, exceeds the limit.
   */
  feed(chunk: Uint8Array): Uint8Array<ArrayBuffer>[] {
    const entries: Uint8Array<ArrayBuffer>[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const change = this.step(chunk[at] ?? 0);
      if (change === 'entry starts') {
        this.keepRemainder(chunk.subarray(start, at));
        start = at;
      } else if (change === 'entry ends') {
        this.append(this.entry, chunk.subarray(start, at + 1));
        entries.push(this.entry.take());
        this.hasEntries = true;
        start = at + 1;
      }
    }
    if (this.inEntry) this.append(this.entry, chunk.subarray(start));
    else this.keepRemainder(chunk.subarray(start));
    return entries;
  }

  /** Whether every object and array that was opened is closed. */
  get complete(): boolean {
    return this.depth === 0 && !this.inString;
  }

  /**
   * Returns the text outside of the entries: of a Bundle all but its entries and most commas between them, of any other
   * JSON the whole text.
   */
  rest(): Uint8Array<ArrayBuffer> {
    return concatBytes([this.remainder.view(), this.entry.view()]);
  }

  /** Drops separators between entries: a million of them would exceed the limit of the text outside of the entries. */
  private keepRemainder(piece: Uint8Array): void {
    if (this.hasEntries && piece.every((byte) => separators.has(byte))) return;
    this.append(this.remainder, piece);
  }

  private append(bytes: GrowingBytes, piece: Uint8Array): void {
    if (bytes.length + piece.length > this.limit) throw new PieceTooLarge();
    bytes.append(piece);
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
    // No key that is looked for is longer; of a longer string the start is enough to tell.
    if (this.depth === 1 && this.string.length <= longestKey) this.string.push(byte);
    if (this.escaped) this.escaped = false;
    else if (byte === backslash) this.escaped = true;
    else if (byte === quote) {
      this.inString = false;
      if (this.depth === 1 && this.string.length <= longestKey) this.string.pop();
    }
  }
}

/** Whether what stands beside a text's entries says that it is a Bundle. */
export function namesBundle(rest: Uint8Array): boolean {
  return /"resourceType"\s*:\s*"Bundle"/.test(latin1(rest));
}

/** The bytes as text, each a character of its own: for finding ASCII in it. */
function latin1(bytes: Uint8Array): string {
  const step = 8192;
  let text = '';
  for (let at = 0; at < bytes.length; at += step) {
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  }
  return text;
}
