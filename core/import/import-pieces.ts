import type { FileImportEntry } from './entry.ts';

/** Entries of an import that one request carries. */
export interface ImportPiece {
  readonly entries: readonly FileImportEntry[];
  /** Bundle of the resources among them, in their order; undefined if there are none. */
  readonly body: string | undefined;
}

/** Entries of a piece, at most, also if nothing of them is sent. */
const maxEntries = 10_000;

/**
 * Splits the entries of an import into pieces. A larger entry is a piece of its own.
 *
 * @param size - Returns the length that the next piece should have.
 */
export async function* splitIntoPieces(
  entries: AsyncIterable<FileImportEntry>,
  size: () => number,
): AsyncGenerator<ImportPiece> {
  let pendingEntries: FileImportEntry[] = [];
  let parts: string[] = [];
  let length = 0;
  const takePiece = (): ImportPiece => {
    const piece = { entries: pendingEntries, body: parts.length === 0 ? undefined : bundleOf(parts) };
    [pendingEntries, parts, length] = [[], [], 0];
    return piece;
  };
  for await (const entry of entries) {
    const part = entry.text === undefined ? '' : writeBundleEntry(entry, entry.text);
    const isFull = (length > 0 && length + part.length > size()) || pendingEntries.length >= maxEntries;
    if (isFull) yield takePiece();
    pendingEntries.push(entry);
    if (part !== '') parts.push(part);
    length += part.length;
  }
  if (pendingEntries.length > 0) yield takePiece();
}

const bundleOf = (parts: readonly string[]) =>
  `{"resourceType":"Bundle","type":"collection","entry":[${parts.join(',')}]}`;

function writeBundleEntry({ fullUrl, requestUrl }: FileImportEntry, text: string): string {
  const address = fullUrl === undefined ? '' : `"fullUrl":${JSON.stringify(fullUrl)},`;
  const request = requestUrl === undefined ? '' : `"request":{"url":${JSON.stringify(requestUrl)}},`;
  return `{${address}${request}"resource":${text}}`;
}
