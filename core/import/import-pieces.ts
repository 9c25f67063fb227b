import { formatEntryLink, type FileImportEntry } from './entry.ts';
import type { ImportContext } from './import-context.ts';

/** Entry of a piece. */
export interface PieceEntry {
  readonly entry: FileImportEntry;
  /** True if the body contains it, so that it gets a result. */
  readonly isSent: boolean;
}

/** Entries of an import that one request carries. */
export interface ImportPiece {
  readonly entries: readonly PieceEntry[];
  /** Bundle of the sent entries, in their order; undefined if there are none. */
  readonly body: string | undefined;
  /** Count of the entries before them that name records of other pieces. */
  readonly contextCount: number;
}

/** Entries of a piece, at most, also if nothing of them is sent. */
const maxEntries = 10_000;
/** Length of the texts of a document that is sent as a whole, at most. */
const maxDocumentLength = 16 * 1024 ** 2;

/**
 * Splits the entries of an import into pieces. A larger entry or document is a piece of its own.
 *
 * @param size - Returns the length that the next piece should have.
 * @param context - Knows all entries of the import. Absent if the pieces do not belong together.
 */
export async function* splitIntoPieces(
  entries: AsyncIterable<FileImportEntry>,
  size: () => number,
  context?: ImportContext,
): AsyncGenerator<ImportPiece> {
  let pendingEntries: PieceEntry[] = [];
  let parts: string[] = [];
  let length = 0;
  const takePiece = (): ImportPiece => {
    const others = context?.describe(pendingEntries.map(({ entry }) => entry)) ?? [];
    const body = parts.length === 0 ? undefined : bundleOf([...others, ...parts]);
    const piece = { entries: pendingEntries, body, contextCount: others.length };
    [pendingEntries, parts, length] = [[], [], 0];
    return piece;
  };
  for await (const group of groupDocuments(entries)) {
    const part = writePart(group);
    const count = pendingEntries.length + group.entries.length;
    const isFull = (length > 0 && length + part.length > size()) || count > maxEntries;
    if (isFull && pendingEntries.length > 0) yield takePiece();
    for (const entry of group.entries)
      pendingEntries.push({ entry, isSent: group.head !== undefined || entry.text !== undefined });
    if (part !== '') parts.push(part);
    length += part.length;
  }
  if (pendingEntries.length > 0) yield takePiece();
}

/** A document with the members of its Bundle, or one entry. */
interface EntryGroup {
  readonly entries: readonly FileImportEntry[];
  readonly head?: string;
}

/** Yields single entries, and the entries of each document together, so that its order and its Bundle are known. */
async function* groupDocuments(entries: AsyncIterable<FileImportEntry>): AsyncGenerator<EntryGroup> {
  let pendingEntries: FileImportEntry[] = [];
  let length = 0;
  const takeGroups = (): readonly EntryGroup[] => {
    const taken = pendingEntries;
    [pendingEntries, length] = [[], 0];
    const { head, entryCount } = taken[0]?.bundlePlace?.bundle ?? {};
    if (head !== undefined && entryCount === taken.length) return [{ entries: taken, head }];
    return taken.map((entry) => ({ entries: [entry] }));
  };
  for await (const entry of entries) {
    const { bundlePlace, text = '' } = entry;
    if (bundlePlace?.bundle !== pendingEntries[0]?.bundlePlace?.bundle) yield* takeGroups();
    if (bundlePlace?.index === pendingEntries.length) pendingEntries.push(entry);
    // The first entries of a larger document were sent without it.
    else yield* [...takeGroups(), { entries: [entry] }];
    length += text.length;
    if (length > maxDocumentLength || pendingEntries.length >= maxEntries) yield* takeGroups();
  }
  yield* takeGroups();
}

const bundleOf = (parts: readonly string[]) =>
  `{"resourceType":"Bundle","type":"collection","entry":[${parts.join(',')}]}`;

/** Returns the Bundle entry of an entry, or one with a document; empty if nothing is sent. */
function writePart({ entries, head }: EntryGroup): string {
  const parts = entries.map(writeBundleEntry);
  if (head !== undefined)
    return `{"resource":{"resourceType":"Bundle",${head},"entry":[${parts.join(',')}]}}`;
  return entries[0]?.text === undefined ? '' : (parts[0] ?? '');
}

function writeBundleEntry({ fullUrl, requestUrl, text, ...place }: FileImportEntry): string {
  const link = `"link":[{"relation":"via","url":${JSON.stringify(formatEntryLink(place))}}]`;
  const address = fullUrl === undefined ? [] : [`"fullUrl":${JSON.stringify(fullUrl)}`];
  const request = requestUrl === undefined ? [] : [`"request":{"url":${JSON.stringify(requestUrl)}}`];
  const resource = text === undefined ? [] : [`"resource":${text}`];
  return `{${[link, ...address, ...request, ...resource].join(',')}}`;
}
