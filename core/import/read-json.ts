import { defineMessages, type Message } from '../text/message.ts';
import { ByteCursor } from './byte-cursor.ts';
import { childPath, type ImportEntry } from './entry.ts';
import { maxBundleLevels, memberPlace, unfoldJson, type ValuePlace } from './unfold-json.ts';

const messages = defineMessages('import', {
  recordTooLarge: 'The record is larger than {megabytes} MB.',
  emptyLine: 'The line contains no resources.',
  cutOff: 'The file ends in the middle of the JSON.',
  invalidJson: 'The JSON is not valid at byte {offset}. What follows was not read.',
  invalidUtf8: 'The text is not valid UTF-8.',
});

const code = (char: string) => char.charCodeAt(0);
const [quote, backslash, colon, comma] = [code('"'), code('\\'), code(':'), code(',')];
const [openObject, closeObject, openArray, closeArray] = [code('{'), code('}'), code('['), code(']')];
const lineFeed = code('\n');
const spaces: ReadonlySet<number> = new Set([' ', '\t', '\r', '\n'].map(code));
/** A container of more bytes is read member by member, so that other work runs in between. */
const wholeBytes = 64 * 1024;
/** Longest string of the outermost object, and most strings, that tell whether it is a container. */
const [maxOuterString, maxOuterStrings] = [32, 64];
const containerTypes: ReadonlySet<string> = new Set(['Bundle', 'Parameters']);
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Thrown where the rest of a JSON text cannot be read. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly fault: Message;
  /** Path of the innermost value around that place. */
  path: string | undefined;

  constructor(fault: Message) {
    super(fault.text);
    this.fault = fault;
  }
}

/**
 * Yields the entries of JSON or NDJSON that arrives in chunks. A part of at most `limit` bytes is parsed as a
 * whole. Of a larger one only the members that contain resources are read, so that memory is bounded for
 * Bundles of any size, in any order of members and at any depth.
 *
 * @param isNdjson - True if each line is a JSON text. A text whose first line is one JSON text, and that goes on
 *   behind it, is read as NDJSON as well.
 */
export async function* readJsonEntries(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  isNdjson: boolean,
): AsyncGenerator<ImportEntry> {
  const reader = new JsonReader(new ByteCursor(chunks), limit);
  yield* isNdjson ? reader.readLines() : reader.readText();
}

class JsonReader {
  private readonly cursor: ByteCursor;
  private readonly limit: number;

  constructor(cursor: ByteCursor, limit: number) {
    this.cursor = cursor;
    this.limit = limit;
  }

  async *readText(): AsyncGenerator<ImportEntry> {
    await this.skipByteOrderMark();
    await this.skipSpace();
    if ((await this.peek()) === undefined) return;
    if (await this.isFirstLineComplete()) {
      yield* this.readLines();
      return;
    }
    try {
      for await (const entry of this.readValue('resource', '', 0)) {
        yield entry;
        // Bytes behind invalid JSON belong to it.
        if (entry.path === '' && entry.problem) return;
      }
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      yield { path: error.path ?? '', problem: error.fault };
      return;
    }
    if (
      isSpace(this.cursor.view.subarray(0, await this.findLineEnd())) &&
      (await this.peek()) !== undefined
    ) {
      // NDJSON whose first line is too large to be recognized as one.
      await this.skipLine();
      yield* this.readLines(2);
      return;
    }
    await this.skipSpace();
    if ((await this.peek()) === undefined) return;
    yield { path: '', problem: messages.invalidJson({ offset: this.cursor.consumed }) };
  }

  async *readLines(firstLine = 1): AsyncGenerator<ImportEntry> {
    await this.skipByteOrderMark();
    for (let line = firstLine; (await this.peek()) !== undefined; line += 1) {
      const path = `line ${line}`;
      const length = await this.findLineEnd();
      if (length !== undefined && isSpace(this.cursor.view.subarray(0, length))) {
        this.cursor.consume(length);
        continue;
      }
      let isEmpty = true;
      for await (const entry of this.readLine(path, length)) {
        isEmpty = false;
        yield entry;
      }
      if (isEmpty) yield { path, skipReason: messages.emptyLine() };
    }
  }

  /** Reads a line that is not blank. `length` is undefined if it exceeds the limit. */
  private async *readLine(path: string, length: number | undefined): AsyncGenerator<ImportEntry> {
    if (length !== undefined) {
      const text = decode(this.cursor.view.subarray(0, length));
      this.cursor.consume(length);
      if (text === undefined) yield { path, problem: messages.invalidUtf8() };
      else yield* unfoldJson(text, 'resource', path);
      return;
    }
    try {
      await this.skipSpace();
      yield* this.openContainer('resource', path, 0);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      yield { path: error.path ?? path, problem: error.fault };
    }
    await this.skipLine();
  }

  /** True if the first line is a complete JSON object and something follows it. */
  private async isFirstLineComplete(): Promise<boolean> {
    const length = await this.findLineEnd();
    if (length === undefined || this.cursor.view[length - 1] !== lineFeed) return false;
    const scanner = new ValueScanner();
    const end = scanner.scan(this.cursor.view.subarray(0, length), 0);
    if (end === undefined || !isSpace(this.cursor.view.subarray(end, length))) return false;
    for (let position = length; ; position += 1) {
      while (position >= this.cursor.view.length) if (!(await this.cursor.readChunk())) return false;
      if (!spaces.has(this.cursor.view[position] ?? 0)) return true;
    }
  }

  /** Reads a value: as a whole, or member by member if it is too large or a container that would take long. */
  private async *readValue(place: ValuePlace, path: string, level: number): AsyncGenerator<ImportEntry> {
    const scanner = new ValueScanner();
    const length = await this.findValueEnd(scanner);
    if (length === undefined || (length > wholeBytes && scanner.isContainer(this.cursor.view, place))) {
      yield* this.openContainer(place, path, level);
      return;
    }
    const text = decode(this.cursor.view.subarray(0, length));
    this.cursor.consume(length);
    if (text === undefined) yield { path, problem: messages.invalidUtf8() };
    else yield* unfoldJson(text, place, path);
  }

  /** Reads the resources in a container that is too large to be parsed as a whole. */
  private async *openContainer(place: ValuePlace, path: string, level: number): AsyncGenerator<ImportEntry> {
    const firstByte = await this.peek();
    try {
      if (level > 4 * maxBundleLevels || (firstByte !== openObject && firstByte !== openArray)) {
        await this.skipValue();
        yield { path, problem: this.tooLarge() };
      } else if (firstByte === openArray) yield* this.readItems(place, path, level);
      else yield* this.readMembers(place, path, level);
    } catch (error) {
      if (error instanceof UnreadableError) error.path ??= path;
      throw error;
    }
  }

  private async *readItems(place: ValuePlace, path: string, level: number): AsyncGenerator<ImportEntry> {
    this.cursor.consume(1);
    for (let index = 0; ; index += 1) {
      if (!(await this.hasNextPart(closeArray, index === 0))) return;
      yield* this.readValue(place, childPath(path, index), level + 1);
    }
  }

  private async *readMembers(place: ValuePlace, path: string, level: number): AsyncGenerator<ImportEntry> {
    this.cursor.consume(1);
    let resourceType: string | undefined;
    let hasResources = false;
    for (let isFirst = true; ; isFirst = false) {
      if (!(await this.hasNextPart(closeObject, isFirst))) break;
      const key = await this.takeString();
      await this.skipSpace();
      const separator = await this.peek();
      if (separator !== colon) throw this.unreadable(separator);
      this.cursor.consume(1);
      await this.skipSpace();
      const valuePlace = memberPlace(place, key, resourceType);
      if (valuePlace !== undefined) {
        hasResources = true;
        yield* this.readValue(valuePlace, childPath(path, key), level + 1);
      } else if (place === 'resource' && key === 'resourceType' && (await this.peek()) === quote)
        resourceType = await this.takeString();
      else await this.skipValue();
    }
    if (!hasResources) yield { path, problem: this.tooLarge() };
  }

  /** Moves to the next item or member. Returns false at the end of the list, which it consumes. */
  private async hasNextPart(close: number, isFirst: boolean): Promise<boolean> {
    await this.skipSpace();
    const byte = await this.peek();
    if (byte === close) {
      this.cursor.consume(1);
      return false;
    }
    if (!isFirst && byte === comma) {
      this.cursor.consume(1);
      await this.skipSpace();
    } else if (!isFirst && byte !== undefined) throw this.unreadable(byte);
    if ((await this.peek()) === undefined) throw this.unreadable(undefined);
    return true;
  }

  private tooLarge(): Message {
    return messages.recordTooLarge({ megabytes: this.limit / 1024 / 1024 });
  }

  /** Returns the error for an unexpected byte; undefined for the end of the input. */
  private unreadable(byte: number | undefined): UnreadableError {
    return new UnreadableError(
      byte === undefined ? messages.cutOff() : messages.invalidJson({ offset: this.cursor.consumed }),
    );
  }

  private async peek(): Promise<number | undefined> {
    while (this.cursor.view.length === 0) if (!(await this.cursor.readChunk())) return undefined;
    return this.cursor.view[0];
  }

  private async skipByteOrderMark(): Promise<void> {
    while (this.cursor.view.length < byteOrderMark.length) if (!(await this.cursor.readChunk())) break;
    const { view } = this.cursor;
    if (byteOrderMark.every((byte, index) => view[index] === byte)) this.cursor.consume(byteOrderMark.length);
  }

  private async skipSpace(): Promise<void> {
    for (;;) {
      const { view } = this.cursor;
      const index = view.findIndex((byte) => !spaces.has(byte));
      this.cursor.consume(index === -1 ? view.length : index);
      if (index !== -1 || !(await this.cursor.readChunk())) return;
    }
  }

  /** Returns the length of the next value; undefined if it exceeds the limit or the input ends in it. */
  private async findValueEnd(scanner = new ValueScanner()): Promise<number | undefined> {
    for (let from = 0; ;) {
      const { view } = this.cursor;
      const end = scanner.scan(view, from);
      if (end !== undefined) return end > this.limit ? undefined : end;
      from = view.length;
      if (from > this.limit) return undefined;
      if (!(await this.cursor.readChunk())) return scanner.isScalar && from > 0 ? from : undefined;
    }
  }

  /** Returns the length of the next line with its line feed; undefined if it exceeds the limit. */
  private async findLineEnd(): Promise<number | undefined> {
    for (let from = 0; ;) {
      const { view } = this.cursor;
      const index = view.indexOf(lineFeed, from);
      if (index !== -1) return index > this.limit ? undefined : index + 1;
      from = view.length;
      if (from > this.limit) return undefined;
      if (!(await this.cursor.readChunk())) return from;
    }
  }

  /** Consumes a value of any size without keeping it. */
  private async skipValue(): Promise<void> {
    const scanner = new ValueScanner();
    for (;;) {
      const { view } = this.cursor;
      const end = scanner.scan(view, 0);
      this.cursor.consume(end ?? view.length);
      if (end !== undefined) return;
      if (!(await this.cursor.readChunk())) throw this.unreadable(undefined);
    }
  }

  private async skipLine(): Promise<void> {
    for (;;) {
      const { view } = this.cursor;
      const index = view.indexOf(lineFeed);
      this.cursor.consume(index === -1 ? view.length : index + 1);
      if (index !== -1 || !(await this.cursor.readChunk())) return;
    }
  }

  private async takeString(): Promise<string> {
    const firstByte = await this.peek();
    if (firstByte !== quote) throw this.unreadable(firstByte);
    const length = await this.findValueEnd();
    if (length === undefined)
      throw this.unreadable(this.cursor.view.length > this.limit ? firstByte : undefined);
    const text = decode(this.cursor.view.subarray(0, length));
    const offset = this.cursor.consumed;
    this.cursor.consume(length);
    try {
      return JSON.parse(text ?? '') as string;
    } catch {
      throw new UnreadableError(messages.invalidJson({ offset }));
    }
  }
}

/** Short string of the outermost object, from its opening quote. */
interface OuterString {
  readonly start: number;
  readonly end: number;
  /** True for a value, false for a key. */
  readonly isValue: boolean;
}

/** Finds the end of a JSON value in chunks. Tracks strings and nesting only; a parser must read the value. */
class ValueScanner {
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

const isSpace = (bytes: Uint8Array) => bytes.every((byte) => spaces.has(byte));

/** Returns the text of the bytes; undefined if they are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
