import { defineMessages, type Message } from '../text/message.ts';
import { BundleSplitter, namesBundle, ChunkTooLargeError } from './bundle-splitter.ts';
import { concatBytes } from './bytes.ts';

/** `lines`: a record a line. `json`: a record or a Bundle. */
export type FileKind = 'lines' | 'json';

/** A record in its file: a line or a Bundle entry. */
export interface FoundRecord {
  /** Line or number of the entry, from 1; absent for a single record. */
  readonly place?: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True for JSON that must be sent unchanged. The server reports its errors. */
  readonly asIs?: true;
}

/** Part that cannot be sent: its place in a report, and the reason. */
export interface RecordProblem {
  readonly place?: number;
  readonly fault: Message;
}

type ImportItem = FoundRecord | RecordProblem;

const lineFeed = 0x0a;
const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const [entryStart, entryEnd] = [ascii('{"resource":'), ascii('}')];
/** Reasons why the records of a file cannot be read. */
export const recordMessages = defineMessages('import', {
  tooLarge: 'The record is larger than {megabytes} MB.',
  notABundle: 'The JSON has entries, but no resourceType Bundle before them.',
  bundleCutOff: 'The file ends in the middle of a Bundle.',
});

/** Returns the message for a line or entry of more bytes than `limit`. */
export function tooLarge(limit: number): Message {
  return recordMessages.tooLarge({ megabytes: limit / 1024 / 1024 });
}

export interface RecordOptions {
  /** Maximum bytes of one line or entry. */
  readonly limit: number;
  /** Returns true if the bytes are JSON in UTF-8, so that other JSON can contain them. */
  readonly isJson: (bytes: Uint8Array) => boolean;
}

/** Yields the records of a file, grouped by chunk. */
export function recordsIn(
  chunks: AsyncIterable<Uint8Array>,
  kind: FileKind,
  options: RecordOptions,
): AsyncGenerator<readonly ImportItem[]> {
  return kind === 'lines' ? linesIn(chunks, options) : entriesIn(chunks, options);
}

async function* linesIn(
  chunks: AsyncIterable<Uint8Array>,
  { limit }: RecordOptions,
): AsyncGenerator<readonly ImportItem[]> {
  let lineParts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let place = 0;
  const appendPart = (bytes: Uint8Array<ArrayBuffer>) => {
    length += bytes.length;
    // Drops the remainder of an oversized line.
    if (length > limit) lineParts = [];
    else if (bytes.length > 0) lineParts.push(bytes);
  };
  const takeLine = (): ImportItem[] => {
    place += 1;
    const size = length;
    const [firstPart, ...furtherParts] = lineParts;
    lineParts = [];
    length = 0;
    if (size > limit) return [{ place, fault: tooLarge(limit) }];
    if (!firstPart) return [];
    return [
      { place, bytes: furtherParts.length === 0 ? firstPart : concatBytes([firstPart, ...furtherParts]) },
    ];
  };
  for await (const chunk of chunks) {
    // Copies, because the stream may reuse its chunk.
    const bytes = chunk.slice();
    const items: ImportItem[] = [];
    let start = 0;
    for (let lineEnd = bytes.indexOf(lineFeed); lineEnd !== -1; lineEnd = bytes.indexOf(lineFeed, start)) {
      appendPart(bytes.subarray(start, lineEnd));
      items.push(...takeLine());
      start = lineEnd + 1;
    }
    appendPart(bytes.subarray(start));
    yield items;
  }
  yield takeLine();
}

async function* entriesIn(
  chunks: AsyncIterable<Uint8Array>,
  { limit, isJson }: RecordOptions,
): AsyncGenerator<readonly ImportItem[]> {
  const splitter = new BundleSplitter(limit);
  let place = 0;
  try {
    for await (const chunk of chunks) {
      const entries = splitter.feed(chunk);
      if (place === 0 && entries.length > 0 && !namesBundle(splitter.getOuterText())) {
        yield [{ fault: recordMessages.notABundle() }];
        return;
      }
      yield entries.map((bytes) => ({ place: (place += 1), bytes }));
    }
  } catch (error) {
    if (!(error instanceof ChunkTooLargeError)) throw error;
    yield [{ ...(place > 0 && { place: place + 1 }), fault: tooLarge(limit) }];
    return;
  }
  if (place > 0 && !splitter.complete) {
    yield [{ place: place + 1, fault: recordMessages.bundleCutOff() }];
  }
  const remainder = splitter.getOuterText();
  if (place > 0 || (namesBundle(remainder) && splitter.complete)) return;
  yield [
    isJson(remainder)
      ? { bytes: concatBytes([entryStart, remainder, entryEnd]) }
      : { bytes: remainder, asIs: true },
  ];
}
