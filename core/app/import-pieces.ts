/**
 * Cuts a file into pieces that are each an import of their own (`POST /app/import`): what was answered is known to be
 * stored, so that a stop or a lost connection leaves no doubt beyond one piece. One piece is held at a time.
 */
import { BundleSplitter, namesBundle, PieceTooLarge } from './bundle-splitter.ts';
import { concatBytes } from './bytes.ts';

/** `lines`: a record a line. `json`: a record or a Bundle. */
export type FileKind = 'lines' | 'json';

export interface Piece {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly kind: FileKind;
  /** Lines or entries before this piece; a report's place counts from here. */
  readonly before: number;
  /** At most as many records are in it. */
  readonly records: number;
  /** Bytes of the file up to its end. */
  readonly read: number;
}

/** Something that cannot be sent: its place, as in a report, and why. */
export interface PieceFault {
  readonly place?: number;
  readonly fault: string;
}

export interface PieceOptions {
  /** Bytes that a piece should have, asked anew for each; a longer line or entry is a piece of its own. */
  readonly size: () => number;
  /** Most bytes of one line or entry. */
  readonly limit: number;
}

const lineFeed = 0x0a;
const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const bundleStart = ascii('{"resourceType":"Bundle","entry":[');
const bundleEnd = ascii(']}');
const comma = ascii(',');

/** The pieces of a file's bytes. */
export function piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  kind: FileKind,
  options: PieceOptions,
): AsyncGenerator<Piece | PieceFault> {
  return kind === 'lines' ? ofLines(chunks, options) : ofJson(chunks, options);
}

async function* ofLines(
  chunks: AsyncIterable<Uint8Array>,
  { size, limit }: PieceOptions,
): AsyncGenerator<Piece | PieceFault> {
  let held: Uint8Array[] = [];
  let length = 0;
  let before = 0;
  let read = 0;
  /** Whether a line ends in what is held. */
  let ended = false;
  /** Whether the rest of a line that is too large goes by. */
  let skipping = false;
  const piece = (body: Uint8Array<ArrayBuffer>): Piece => {
    const lines = countLines(body);
    const made: Piece = { body, kind: 'lines', before, records: lines, read: read - length };
    before += lines;
    return made;
  };
  for await (const chunk of chunks) {
    read += chunk.length;
    let rest = chunk;
    if (skipping) {
      const end = chunk.indexOf(lineFeed);
      if (end === -1) continue;
      skipping = false;
      rest = chunk.subarray(end + 1);
    }
    held.push(rest.slice());
    length += rest.length;
    ended ||= rest.includes(lineFeed);
    if (length < size() || (!ended && length <= limit)) continue;
    let bytes = concatBytes(held);
    for (let end = cutAt(bytes, size()); end > 0; end = cutAt(bytes, size())) {
      const body = bytes.slice(0, end);
      bytes = bytes.subarray(end);
      length = bytes.length;
      yield piece(body);
    }
    held = [bytes];
    ended = bytes.includes(lineFeed);
    if (!ended && length > limit) {
      before += 1;
      yield { place: before, fault: tooLarge(limit) };
      held = [];
      length = 0;
      skipping = true;
    }
  }
  const bytes = concatBytes(held);
  length = 0;
  if (bytes.length > 0) yield piece(bytes);
}

async function* ofJson(
  chunks: AsyncIterable<Uint8Array>,
  { size, limit }: PieceOptions,
): AsyncGenerator<Piece | PieceFault> {
  const splitter = new BundleSplitter(limit);
  let held: Uint8Array[] = [];
  let length = 0;
  let place = 0;
  let read = 0;
  const bundle = (): Piece => {
    const records = held.length;
    const entries = held.flatMap((entry, index) => (index === 0 ? [entry] : [comma, entry]));
    const body = concatBytes([bundleStart, ...entries, bundleEnd]);
    held = [];
    length = 0;
    return { body, kind: 'json', before: place - records, records, read };
  };
  try {
    for await (const chunk of chunks) {
      read += chunk.length;
      for (const entry of splitter.feed(chunk)) {
        place += 1;
        if (place === 1 && !namesBundle(splitter.rest())) {
          yield { fault: 'The JSON has entries, but does not name its resourceType Bundle before them.' };
          return;
        }
        held.push(entry);
        length += entry.length;
        if (length >= size()) yield bundle();
      }
    }
  } catch (error) {
    if (!(error instanceof PieceTooLarge)) throw error;
    if (held.length > 0) yield bundle();
    yield { ...(place > 0 && { place: place + 1 }), fault: tooLarge(limit) };
    return;
  }
  if (held.length > 0) yield bundle();
  if (place > 0 && !splitter.complete) {
    yield { place: place + 1, fault: 'The text ends before the Bundle does.' };
  }
  const rest = splitter.rest();
  if (place > 0 || (namesBundle(rest) && splitter.complete)) return;
  yield { body: rest, kind: 'json', before: 0, records: 1, read };
}

/** Where a piece of about this size ends: behind its last line, or behind the first where that is longer; 0 for none. */
function cutAt(bytes: Uint8Array, size: number): number {
  if (bytes.length < size) return 0;
  const within = bytes.lastIndexOf(lineFeed, size - 1) + 1;
  return within > 0 ? within : bytes.indexOf(lineFeed, size) + 1;
}

/** Lines of a piece; the last one counts without its line end too. */
function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count += 1;
  return bytes.at(-1) === lineFeed ? count : count + 1;
}

function tooLarge(limit: number): string {
  return `The record is larger than ${limit} bytes.`;
}
