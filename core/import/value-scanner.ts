/** Finds JSON values in bytes that arrive in chunks. */
import type { ValuePlace } from './unfold-json.ts';

const code = (char: string) => char.charCodeAt(0);
export const [quote, backslash, colon, comma] = [code('"'), code('\\'), code(':'), code(',')];
export const [openObject, closeObject, openArray, closeArray] = [code('{'), code('}'), code('['), code(']')];
export const lineFeed = code('\n');
export const spaces: ReadonlySet<number> = new Set([' ', '\t', '\r', '\n'].map(code));
/** Longest string of the outermost object, and most strings, that tell whether it is a container. */
const [maxOuterString, maxOuterStrings] = [32, 64];
const containerTypes: ReadonlySet<string> = new Set(['Bundle', 'Parameters']);

/** Short string of the outermost object, from its opening quote. */
interface OuterString {
  readonly start: number;
  readonly end: number;
  /** True for a value, false for a key. */
  readonly isValue: boolean;
}

/** Finds the end of a JSON value in chunks. Tracks strings and nesting only; a parser must read the value. */
export class ValueScanner {
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private isMemberValue = false;
  private stringStart = 0;
  private readonly outerStrings: OuterString[] = [];
  private hasStarted = false;
  /** True for a number or a literal. Only the next byte shows that it ended. */
  isScalar = false;

  /** Returns the offset behind the value; undefined if it does not end in these bytes. */
  scan(bytes: Uint8Array, from: number): number | undefined {
    for (let index = from; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === backslash) this.isEscaped = true;
        else if (byte === quote) {
          this.inString = false;
          if (this.depth === 0) return index + 1;
          if (this.depth === 1) this.noteOuterString(index + 1);
        }
      } else if (this.isScalar) {
        if (byte === comma || byte === closeObject || byte === closeArray || spaces.has(byte)) return index;
      } else if (byte === quote) {
        this.inString = true;
        this.stringStart = index;
      } else if (byte === colon) this.isMemberValue = true;
      else if (byte === comma) this.isMemberValue = false;
      else if (byte === openObject || byte === openArray) this.depth += 1;
      else if (byte === closeObject || byte === closeArray) {
        this.depth -= 1;
        if (this.depth <= 0) return index + 1;
      } else if (!this.hasStarted) this.isScalar = true;
      this.hasStarted = true;
    }
    return undefined;
  }

  /** True if the value only contains resources, as far as its members tell. `bytes` start with the value. */
  isContainer(bytes: Uint8Array, place: ValuePlace): boolean {
    if (bytes[0] === openArray) return true;
    // An entry is parsed as a whole, because its address concerns its resource.
    if (place === 'entry') return false;
    if (place !== 'resource') return true;
    const strings = this.outerStrings.map(({ start, end, isValue }) => ({
      text: decode(bytes.subarray(start + 1, end - 1)) ?? '',
      isValue,
    }));
    const typeIndex = strings.findIndex(({ text, isValue }) => !isValue && text === 'resourceType');
    const type = strings[typeIndex + 1];
    if (typeIndex !== -1) return type?.isValue === true && containerTypes.has(type.text);
    const keys = new Set(strings.filter(({ isValue }) => !isValue).map(({ text }) => text));
    return keys.has('hook') && keys.has('prefetch');
  }

  private noteOuterString(end: number): void {
    const { stringStart: start, isMemberValue: isValue } = this;
    if (end - start <= maxOuterString && this.outerStrings.length < maxOuterStrings)
      this.outerStrings.push({ start, end, isValue });
  }
}

/** Returns true if all bytes are white space. */
export const isSpace = (bytes: Uint8Array) => bytes.every((byte) => spaces.has(byte));

/** Returns the text of the bytes; undefined if they are not UTF-8. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
