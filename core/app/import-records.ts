import { BundleSplitter, namesBundle, PieceTooLarge } from './bundle-splitter.ts';
import { concatBytes } from './bytes.ts';

/** `lines`: a record a line. `json`: a record or a Bundle. */
export type FileKind = 'lines' | 'json';

/** A record as it stands in its file: a line, or the entry of a Bundle. */
export interface FoundRecord {
  /** Line or number of the entry, from 1; absent for a record alone. */
  readonly place?: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of JSON that can only be sent as it is: what is wrong with it, the server says. */
  readonly asIs?: true;
}

/** Something that cannot be sent: its place, as in a report, and why. */
export interface RecordFault {
  readonly place?: number;
  readonly fault: string;
}

type Found = FoundRecord | RecordFault;

const lineFeed = 0x0a;
const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const [entryStart, entryEnd] = [ascii('{"resource":'), ascii('}')];
const tooLarge = (limit: number) => `The record is larger than ${limit} bytes.`;

export interface RecordOptions {
  /** Most bytes of one line or entry. */
  readonly limit: number;
  /** Whether bytes are JSON in UTF-8, so that they can stand within other JSON. */
  readonly isJson: (bytes: Uint8Array) => boolean;
}

/** The records in a file's bytes, those of one chunk together. */
export function recordsIn(
  chunks: AsyncIterable<Uint8Array>,
  kind: FileKind,
  options: RecordOptions,
): AsyncGenerator<readonly Found[]> {
  return kind === 'lines' ? linesIn(chunks, options) : entriesIn(chunks, options);
}

async function* linesIn(
  chunks: AsyncIterable<Uint8Array>,
  { limit }: RecordOptions,
): AsyncGenerator<readonly Found[]> {
  let held: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let place = 0;
  const hold = (bytes: Uint8Array<ArrayBuffer>) => {
    length += bytes.length;
    // Of a line that is too large the rest goes by.
    if (length > limit) held = [];
    else if (bytes.length > 0) held.push(bytes);
  };
  const take = (): Found[] => {
    place += 1;
    const size = length;
    const [first, ...others] = held;
    held = [];
    length = 0;
    if (size > limit) return [{ place, fault: tooLarge(limit) }];
    if (!first) return [];
    return [{ place, bytes: others.length === 0 ? first : concatBytes([first, ...others]) }];
  };
  for await (const chunk of chunks) {
    // A copy: the stream may use its chunk again.
    const bytes = chunk.slice();
    const found: Found[] = [];
    let start = 0;
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, start)) {
      hold(bytes.subarray(start, at));
      found.push(...take());
      start = at + 1;
    }
    hold(bytes.subarray(start));
    yield found;
  }
  yield take();
}

async function* entriesIn(
  chunks: AsyncIterable<Uint8Array>,
  { limit, isJson }: RecordOptions,
): AsyncGenerator<readonly Found[]> {
  const splitter = new BundleSplitter(limit);
  let place = 0;
  try {
    for await (const chunk of chunks) {
      const entries = splitter.feed(chunk);
      if (place === 0 && entries.length > 0 && !namesBundle(splitter.rest())) {
        yield [{ fault: 'The JSON has entries, but does not name its resourceType Bundle before them.' }];
        return;
      }
      yield entries.map((bytes) => ({ place: (place += 1), bytes }));
    }
  } catch (error) {
    if (!(error instanceof PieceTooLarge)) throw error;
    yield [{ ...(place > 0 && { place: place + 1 }), fault: tooLarge(limit) }];
    return;
  }
  if (place > 0 && !splitter.complete) {
    yield [{ place: place + 1, fault: 'The text ends before the Bundle does.' }];
  }
  const rest = splitter.rest();
  if (place > 0 || (namesBundle(rest) && splitter.complete)) return;
  yield [isJson(rest) ? { bytes: concatBytes([entryStart, rest, entryEnd]) } : { bytes: rest, asIs: true }];
}
