import { setImmediate } from 'node:timers/promises';
import { bundleEnd, type Bundle, type Entry, type Piece } from '../../core/fhir/bundle.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import type { Run } from './jobs.ts';

/** What is made of a resource before it is answered; a text that is none stays as it is. */
export type Change = (resource: Piece) => Promise<Piece>;

/** Where an entry stands, and its resource, in a Bundle for reading. */
const entryIndent = ' '.repeat(4);
const resourceIndent = ' '.repeat(6);

/** A Bundle whose resources are as they are stored, in one Buffer: each goes there once. */
export function joined(bundle: Bundle): Buffer {
  return Buffer.concat([...pieces(bundle)].map(bytesOf));
}

/** The text of a Bundle in pieces, each made when its turn comes. */
export function* pieces({ head, entries }: Bundle): Generator<Piece> {
  let text = head;
  for (const { before, resource, behind } of entries) {
    yield text + before;
    yield resource;
    text = `${behind},`;
  }
  yield (text === head ? text : text.slice(0, -1)) + bundleEnd;
}

/** The same where something is made of the resources; other requests go between two of them. */
export async function* changed(bundle: Bundle, change: Change): AsyncGenerator<Piece> {
  for (const piece of pieces(bundle)) {
    yield await change(piece);
    if (typeof piece !== 'string') await setImmediate();
  }
}

/** A Bundle for reading, two spaces a level; its resources are laid out one at a time. */
export async function* indented({ head, entries }: Bundle, run: Run, change?: Change): AsyncGenerator<Piece> {
  const [start = '', end = ''] = format(scan(head + bundleEnd).root).split(/(?<="entry": \[)(?=\])/);
  yield start;
  let first = true;
  for (const entry of entries) {
    yield `${first ? '' : ','}\n${entryIndent}`;
    yield* laidOut(entry, run, change);
    first = false;
    await setImmediate();
  }
  yield first ? end : `\n  ${end}`;
}

async function* laidOut(
  { before, resource, behind }: Entry,
  run: Run,
  change?: Change,
): AsyncGenerator<Piece> {
  // No string holds this text, as quotes are escaped in one.
  const [start = '', end = ''] = format(scan(`${before}null${behind}`).root, entryIndent).split(
    '"resource": null',
  );
  yield `${start}"resource": `;
  const text = String(bytesOf(change ? await change(resource) : resource));
  yield await run('format', [text, resourceIndent]);
  yield end;
}

/** All pieces in one Buffer. */
export async function bufferOf(made: Iterable<Piece> | AsyncIterable<Piece>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of made) parts.push(bytesOf(piece));
  return Buffer.concat(parts);
}

/** A piece in UTF-8, neither copied nor encoded again where it is. */
export function bytesOf(piece: Piece): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}
