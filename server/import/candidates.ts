/**
 * Reads the records of an import one at a time, never all at once: NDJSON, or JSON of a record or a Bundle.
 * Called by the command line and by HTTP. Invariants: a record's text keeps every digit, and bytes that are
 * not UTF-8 are rejected, not repaired. Other requests run even during thousands of entries without a
 * record.
 */
import { setImmediate } from 'node:timers/promises';
import { BundleSplitter, namesBundle, ChunkTooLargeError } from '../../core/app/bundle-splitter.ts';
import { recordMessages, tooLarge } from '../../core/app/import-records.ts';
import { JsonSyntaxError } from '../../core/json/json-problem.ts';
import { member, stringMember, serializeNode } from '../../core/json/node.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';

/** A record to import, or the reason why this entry contains none. */
export interface Candidate {
  /** Line of NDJSON or number of the Bundle entry, from 1; absent for a single record. */
  readonly place?: number;
  /** Path of its file if there are several. */
  readonly file?: string;
  readonly text?: string;
  /** The address that its entry names. */
  readonly fullUrl?: string;
  readonly problem?: Message;
}

const messages = defineMessages('import', {
  invalidUtf8: 'The file is not valid UTF-8.',
});

/** Lines or entries that are read in one turn of the event loop, at most. */
const placesATurn = 500;

/**
 * Yields the candidates of NDJSON: one record per line, without empty lines. `limit` is the maximum size of
 * a line in bytes.
 */
export async function* ofLines(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Candidate> {
  let entryNumber = 0;
  for await (const bytes of lines(chunks, limit)) {
    entryNumber += 1;
    if (entryNumber % placesATurn === 0) await setImmediate();
    const text = bytes && decode(bytes);
    if (bytes === undefined) yield { place: entryNumber, problem: tooLarge(limit) };
    else if (text === undefined) yield { place: entryNumber, problem: messages.invalidUtf8() };
    else if (text.trim() !== '') yield { place: entryNumber, text };
  }
}

/** The candidates of one JSON text: the resources of a Bundle, or the text itself. */
export async function* ofJson(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Candidate> {
  const splitter = new BundleSplitter(limit);
  let entryNumber = 0;
  try {
    for await (const chunk of chunks) {
      for (const bytes of splitter.feed(chunk)) {
        entryNumber += 1;
        if (entryNumber % placesATurn === 0) await setImmediate();
        if (entryNumber === 1 && !namesBundle(splitter.getOuterText())) {
          yield { problem: recordMessages.notABundle() };
          return;
        }
        const candidate = ofEntry(bytes, entryNumber);
        if (candidate) yield candidate;
      }
    }
  } catch (error) {
    if (!(error instanceof ChunkTooLargeError)) throw error;
    yield { ...(entryNumber > 0 && { place: entryNumber + 1 }), problem: tooLarge(limit) };
    return;
  }
  const outerText = splitter.getOuterText();
  if (entryNumber > 0 && !splitter.complete)
    yield { place: entryNumber + 1, problem: recordMessages.cutOff() };
  if (entryNumber > 0 || (namesBundle(outerText) && splitter.complete)) return;
  const text = decode(outerText);
  yield text === undefined ? { problem: messages.invalidUtf8() } : { text };
}

/** Returns the resource of an entry; undefined for an entry without one. */
function ofEntry(bytes: Uint8Array, entryNumber: number): Candidate | undefined {
  const text = decode(bytes);
  if (text === undefined) return { place: entryNumber, problem: messages.invalidUtf8() };
  try {
    const { root, problems } = scan(text, maxDepth + 1);
    const [problem] = problems;
    if (problem) return { place: entryNumber, problem };
    const resource = member(root, 'resource');
    const fullUrl = stringMember(root, 'fullUrl') ?? '';
    return (
      resource && { place: entryNumber, text: serializeNode(resource), ...(fullUrl !== '' && { fullUrl }) }
    );
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { place: entryNumber, problem: error.fault };
    throw error;
  }
}

const lineFeed = 0x0a;

/**
 * Splits bytes, not characters: a decoding stream would replace invalid UTF-8. Undefined for a line that is
 * too long.
 */
async function* lines(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer | undefined> {
  let chunkParts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= limit) chunkParts.push(Buffer.from(bytes));
    else chunkParts = [];
  };
  const take = () => {
    const line = length <= limit ? Buffer.concat(chunkParts) : undefined;
    chunkParts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let lineEnd = chunk.indexOf(lineFeed); lineEnd !== -1; lineEnd = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, lineEnd));
      yield take();
      start = lineEnd + 1;
    }
    add(chunk.subarray(start));
  }
  yield take();
}

/** Returns the text without a byte order mark; undefined if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
