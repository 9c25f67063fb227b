import { setImmediate } from 'node:timers/promises';
import { bundleEnd, type Bundle, type BundleEntry, type BodyPart } from '../../core/fhir/bundle.ts';
import { formatNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import type { Run } from './drafts.ts';

/** Changes a resource before it is sent. A text that is not a resource stays as it is. */
export type Change = (resource: BodyPart) => Promise<BodyPart>;

/** Indentation of an entry and its resource in an indented Bundle. */
const entryIndent = ' '.repeat(4);
const resourceIndent = ' '.repeat(6);

/** Returns a Bundle with the stored resources in one Buffer. Each is copied only once. */
export function joinBundle(bundle: Bundle): Buffer {
  return Buffer.concat([...pieces(bundle)].map(bytesOf));
}

/** Yields the text of a Bundle in chunks, each built on demand. */
export function* pieces({ head, entries }: Bundle): Generator<BodyPart> {
  let text = head;
  for (const { prefix, resource, suffix } of entries) {
    yield text + prefix;
    yield resource;
    text = `${suffix},`;
  }
  yield (text === head ? text : text.slice(0, -1)) + bundleEnd;
}

/** Yields the Bundle with changed resources. Other requests run between two of them. */
export async function* mapResources(bundle: Bundle, change: Change): AsyncGenerator<BodyPart> {
  for (const chunk of pieces(bundle)) {
    yield await change(chunk);
    if (typeof chunk !== 'string') await setImmediate();
  }
}

/** Yields a Bundle indented by two spaces. Its resources are formatted one at a time. */
export async function* indented(
  { head, entries }: Bundle,
  run: Run,
  change?: Change,
): AsyncGenerator<BodyPart> {
  const [start = '', end = ''] = formatNode(scan(head + bundleEnd).root).split(/(?<="entry": \[)(?=\])/);
  yield start;
  let isFirst = true;
  for (const entry of entries) {
    yield `${isFirst ? '' : ','}\n${entryIndent}`;
    yield* formatEntry(entry, run, change);
    isFirst = false;
    await setImmediate();
  }
  yield isFirst ? end : `\n  ${end}`;
}

async function* formatEntry(
  { prefix, resource, suffix }: BundleEntry,
  run: Run,
  change?: Change,
): AsyncGenerator<BodyPart> {
  // No string contains this text, because quotes are escaped in strings.
  const [start = '', end = ''] = formatNode(scan(`${prefix}null${suffix}`).root, entryIndent).split(
    '"resource": null',
  );
  yield `${start}"resource": `;
  const text = String(bytesOf(change ? await change(resource) : resource));
  yield await run('format', [text, resourceIndent]);
  yield end;
}

/** All pieces in one Buffer. */
export async function bufferOf(chunks: Iterable<BodyPart> | AsyncIterable<BodyPart>): Promise<Buffer> {
  const buffers: Buffer[] = [];
  for await (const chunk of chunks) buffers.push(bytesOf(chunk));
  return Buffer.concat(buffers);
}

/** Returns a chunk in UTF-8, without a copy if it already is. */
export function bytesOf(chunk: BodyPart): Buffer {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
