import { defineMessages, type Message } from '../text/message.ts';
import { ByteCursor } from './byte-cursor.ts';
import {
  closeArray,
  closeObject,
  colon,
  comma,
  decode,
  isSpace,
  lineFeed,
  openArray,
  openObject,
  quote,
  spaces,
  ValueScanner,
} from './value-scanner.ts';
import {
  completeBundle,
  inBundle,
  isDocument,
  isHeadMember,
  nextPlace,
  objectOf,
  type ReadBundle,
} from './bundle-head.ts';
import { childPath, type ImportEntry } from './entry.ts';
import { addressOf, maxBundleLevels, memberPlace, unfoldJson, type ValueLocation } from './unfold-json.ts';

const messages = defineMessages('import', {
  recordTooLarge: 'The record is larger than {megabytes} MB.',
  emptyLine: 'The line contains no resources.',
  cutOff: 'The file ends in the middle of the JSON.',
  invalidJson: 'The JSON is not valid at byte {offset}. What follows was not read.',
  invalidUtf8: 'The text is not valid UTF-8.',
});

/** A container of more bytes is read member by member, so that other work runs in between. */
const wholeBytes = 64 * 1024;
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
      for await (const entry of this.readValue({ place: 'resource', path: '', level: 0 })) {
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
      yield* this.openContainer({ place: 'resource', path, level: 0 });
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
  private async *readValue(location: ValueLocation): AsyncGenerator<ImportEntry> {
    const { place, path } = location;
    const scanner = new ValueScanner();
    const length = await this.findValueEnd(scanner);
    if (length === undefined || (length > wholeBytes && scanner.isContainer(this.cursor.view, place))) {
      yield* this.openContainer(location);
      return;
    }
    const text = decode(this.cursor.view.subarray(0, length));
    this.cursor.consume(length);
    if (text === undefined) yield { path, problem: messages.invalidUtf8(), ...inBundle(location) };
    else yield* unfoldJson(text, place, path, location);
  }

  /** Reads the resources in a container that is too large to be parsed as a whole. */
  private async *openContainer(location: ValueLocation): AsyncGenerator<ImportEntry> {
    const { place, path, level } = location;
    const firstByte = await this.peek();
    try {
      if (level > 4 * maxBundleLevels || (firstByte !== openObject && firstByte !== openArray)) {
        await this.skipValue();
        yield { path, problem: this.tooLarge(), ...inBundle(location) };
      } else if (firstByte === openArray) yield* this.readItems(location);
      else if (place === 'entry') yield* this.readEntry(location);
      else yield* this.readMembers(location);
    } catch (error) {
      if (error instanceof UnreadableError) error.path ??= path;
      throw error;
    }
  }

  private async *readItems(location: ValueLocation): AsyncGenerator<ImportEntry> {
    const { path, level, bundle } = location;
    this.cursor.consume(1);
    for (let index = 0; ; index += 1) {
      if (!(await this.hasNextPart(closeArray, index === 0))) return;
      const bundlePlace = bundle ? nextPlace(bundle) : location.bundlePlace;
      yield* this.readValue({ ...location, bundlePlace, path: childPath(path, index), level: level + 1 });
    }
  }

  private async *readMembers(location: ValueLocation): AsyncGenerator<ImportEntry> {
    const { place, path, level } = location;
    let resourceType: string | undefined;
    let hasResources = false;
    const bundle: ReadBundle = { entryCount: 0 };
    const headTexts: string[] = [];
    for await (const key of this.readKeys()) {
      const valuePlace = memberPlace(place, key, resourceType);
      if (valuePlace !== undefined) {
        hasResources = true;
        const outer = valuePlace === 'entry' && isDocument(headTexts) && { bundle };
        yield* this.readValue({ place: valuePlace, path: childPath(path, key), level: level + 1, ...outer });
      } else if (place === 'resource' && key === 'resourceType' && (await this.peek()) === quote)
        resourceType = await this.takeString();
      else if (place === 'resource' && isHeadMember(key)) headTexts.push(await this.takeMember(key));
      else await this.skipValue();
    }
    completeBundle(bundle, objectOf(headTexts));
    if (!hasResources) yield { path, problem: this.tooLarge(), ...inBundle(location) };
  }

  /** Reads an entry of a Bundle. Its addresses concern its resource in any order of the members. */
  private async *readEntry(location: ValueLocation): AsyncGenerator<ImportEntry> {
    const { path, level } = location;
    const resourcePath = childPath(path, 'resource');
    const addressTexts: string[] = [];
    let resourceEntry: ImportEntry | undefined;
    let hasResource = false;
    for await (const key of this.readKeys()) {
      if (key === 'resource') {
        hasResource = true;
        const { bundlePlace } = location;
        const entries = this.readValue({
          place: 'resource',
          path: resourcePath,
          level: level + 1,
          bundlePlace,
        });
        for await (const entry of entries) {
          if (entry.path === resourcePath) resourceEntry = entry;
          else yield entry;
        }
      } else if (key === 'fullUrl' || key === 'request' || key === 'link')
        addressTexts.push(await this.takeMember(key));
      else await this.skipValue();
    }
    const address = addressOf(objectOf(addressTexts));
    if (resourceEntry) yield { ...resourceEntry, ...address };
    else if (!hasResource) yield { path, problem: this.tooLarge(), ...inBundle(location) };
  }

  /** Yields the keys of an object. The caller reads each value. */
  private async *readKeys(): AsyncGenerator<string> {
    this.cursor.consume(1);
    for (let isFirst = true; await this.hasNextPart(closeObject, isFirst); isFirst = false) {
      const key = await this.takeString();
      await this.skipSpace();
      const separator = await this.peek();
      if (separator !== colon) throw this.unreadable(separator);
      this.cursor.consume(1);
      await this.skipSpace();
      yield key;
    }
  }

  /** Takes a member behind its colon as text; empty if it is too large. */
  private async takeMember(key: string): Promise<string> {
    const length = await this.findValueEnd();
    if (length === undefined || length > wholeBytes) {
      await this.skipValue();
      return '';
    }
    const text = decode(this.cursor.view.subarray(0, length)) ?? '';
    this.cursor.consume(length);
    return text === '' ? '' : `${JSON.stringify(key)}:${text}`;
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
