/**
 * Reads what an import is given, one record at a time and never the whole: NDJSON, or JSON that is a record or a
 * Bundle. Called by the command line and by HTTP. Invariant: a record's text keeps every digit, and bytes that are not
 * UTF-8 are refused, not mended; other requests get their turn, even where thousands of places hold no record.
 */
import { setImmediate } from 'node:timers/promises';
import { BundleSplitter, namesBundle, PieceTooLarge } from '../../core/app/bundle-splitter.ts';
import { JsonSyntaxError } from '../../core/json/fault.ts';
import { member, stringMember } from '../../core/json/node.ts';
import { print } from '../../core/json/print.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';

/** One record to be imported, or why there is none at this place. */
export interface Candidate {
  /** Line of NDJSON or number of the Bundle's entry, from 1; absent for a record alone. */
  readonly place?: number;
  /** Path of its file, where there are several. */
  readonly file?: string;
  readonly text?: string;
  /** The address that its entry names. */
  readonly fullUrl?: string;
  readonly fault?: string;
}

/** Lines or entries that are read in one turn of the event loop, at most. */
const placesATurn = 500;

const notUtf8 = 'The text is not UTF-8 throughout.';
const tooLarge = (limit: number) => `The record is larger than ${limit} bytes.`;

/** The candidates of NDJSON: one record a line, empty lines aside; `limit` is the most bytes of a line. */
export async function* ofLines(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Candidate> {
  let place = 0;
  for await (const bytes of lines(chunks, limit)) {
    place += 1;
    if (place % placesATurn === 0) await setImmediate();
    const text = bytes && decode(bytes);
    if (bytes === undefined) yield { place, fault: tooLarge(limit) };
    else if (text === undefined) yield { place, fault: notUtf8 };
    else if (text.trim() !== '') yield { place, text };
  }
}

/** The candidates of one JSON text: the resources of a Bundle, or the text itself. */
export async function* ofJson(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Candidate> {
  const splitter = new BundleSplitter(limit);
  let place = 0;
  try {
    for await (const chunk of chunks) {
      for (const bytes of splitter.feed(chunk)) {
        place += 1;
        if (place % placesATurn === 0) await setImmediate();
        if (place === 1 && !namesBundle(splitter.rest())) {
          yield { fault: 'The JSON has entries, but does not name its resourceType Bundle before them.' };
          return;
        }
        const candidate = ofEntry(bytes, place);
        if (candidate) yield candidate;
      }
    }
  } catch (error) {
    if (!(error instanceof PieceTooLarge)) throw error;
    yield { ...(place > 0 && { place: place + 1 }), fault: tooLarge(limit) };
    return;
  }
  const rest = splitter.rest();
  if (place > 0 && !splitter.complete)
    yield { place: place + 1, fault: 'The text ends before the Bundle does.' };
  if (place > 0 || (namesBundle(rest) && splitter.complete)) return;
  const text = decode(rest);
  yield text === undefined ? { fault: notUtf8 } : { text };
}

/** The resource of an entry; undefined for an entry without one. */
function ofEntry(bytes: Uint8Array, place: number): Candidate | undefined {
  const text = decode(bytes);
  if (text === undefined) return { place, fault: notUtf8 };
  try {
    const { root, faults } = scan(text, maxDepth + 1);
    const [fault] = faults;
    if (fault) return { place, fault: `${fault.message}.` };
    const resource = member(root, 'resource');
    const fullUrl = stringMember(root, 'fullUrl') ?? '';
    return resource && { place, text: print(resource), ...(fullUrl !== '' && { fullUrl }) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { place, fault: `${error.message}.` };
    throw error;
  }
}

const lineFeed = 0x0a;

/** Splits bytes, not characters: a decoder on the stream would mend what is not UTF-8. Undefined for a long line. */
async function* lines(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= limit) pieces.push(Buffer.from(piece));
    else pieces = [];
  };
  const take = () => {
    const line = length <= limit ? Buffer.concat(pieces) : undefined;
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, at));
      yield take();
      start = at + 1;
    }
    add(chunk.subarray(start));
  }
  yield take();
}

/** The text without a byte order mark, or undefined where the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
