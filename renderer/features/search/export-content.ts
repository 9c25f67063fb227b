import type { Client } from '../../../core/api/client.ts';
import { UnexpectedFormatError } from '../../../core/api/failure.ts';
import { createDuplicateFilter, type DuplicateFilter } from '../../../core/app/duplicate-filter.ts';
import { csvLine } from '../../../core/app/csv.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { stringMember, type JsonNode } from '../../../core/json/node.ts';
import { exportedValue, type ResultColumn } from './result-columns.tsx';
import { text } from '../../ui/text.ts';
import type { ResultRow } from './result-rows.ts';

/** Export formats with the text before, between and after the records. */
export const formats = {
  csv: { extension: 'csv', mediaType: 'text/csv', head: '', separator: '', tail: '' },
  ndjson: { extension: 'ndjson', mediaType: 'application/x-ndjson', head: '', separator: '', tail: '' },
  bundle: {
    extension: 'json',
    mediaType: 'application/fhir+json',
    head: '{"resourceType":"Bundle","type":"collection","entry":[\n',
    separator: ',\n',
    tail: '\n]}\n',
  },
} as const;
export type Format = keyof typeof formats;

/** Lines of one page: one text for each record. */
export type ExportLines = readonly string[];

interface LinkedPage {
  readonly next?: string;
}

interface ExportedRecord {
  readonly node: JsonNode;
  readonly text: string;
}

/** Records per page. */
const pageSize = 200;
/** IDs per request: half a page. */
const idsPerRequest = pageSize / 2;

/**
 * Yields the pages of a search by following its `next` links.
 *
 * @throws UnexpectedFormatError if a `next` link repeats.
 */
export async function* pagesOf<Page extends LinkedPage>(
  readPage: (next: string) => Promise<Page>,
): AsyncGenerator<Page> {
  const seenLinks = new Set<string>();
  // The empty link stands for the first page.
  for (let next: string | undefined = ''; next !== undefined;) {
    if (seenLinks.has(next)) throw new UnexpectedFormatError({ text: text.results.repeatedPage });
    seenLinks.add(next);
    const page: Page = await readPage(next);
    yield page;
    next = page.next;
  }
}

/** Creates a filter that removes repeated records. */
export function createRecordFilter(): DuplicateFilter<ExportedRecord> {
  return createDuplicateFilter(idOf);
}

/** Yields every record of a search once, with its exact text. */
export async function* recordsOf(
  client: Client,
  { type, pairs }: SearchQuery,
  filter = createRecordFilter(),
): AsyncGenerator<readonly ExportedRecord[]> {
  const readFirstPage = () => client.search(type, [...pairs, ['_count', String(pageSize)]]);
  for await (const { records } of pagesOf((next) =>
    next === '' ? readFirstPage() : client.nextPage(type, next),
  )) {
    yield filter.dropDuplicates(records);
  }
}

/** Yields the records of the rows in their order, without records deleted since the search. */
export async function* recordsOfRows(
  client: Client,
  type: SearchQuery['type'],
  rows: readonly ResultRow[],
): AsyncGenerator<readonly ExportedRecord[]> {
  for (let offset = 0; offset < rows.length; offset += idsPerRequest) {
    const ids = rows.slice(offset, offset + idsPerRequest).map(({ id }) => id);
    const recordsById = new Map<string, ExportedRecord>();
    for await (const records of recordsOf(client, { type, pairs: [['_id', ids.join(',')]] })) {
      for (const record of records) recordsById.set(idOf(record), record);
    }
    yield ids.flatMap((id) => recordsById.get(id) ?? []);
  }
}

/** Serializes records as lines of NDJSON or entries of a Bundle with a `fullUrl` under the base URL. */
export function serializeRecords(
  format: Exclude<Format, 'csv'>,
  records: readonly ExportedRecord[],
  base: string,
): ExportLines {
  if (format === 'ndjson') return records.map(({ text }) => `${text}\n`);
  return records.map((record) => {
    const url = `${base}/${stringMember(record.node, 'resourceType') ?? ''}/${idOf(record)}`;
    return `{"fullUrl":${JSON.stringify(url)},"resource":${record.text}}`;
  });
}

/** Returns the first line of a CSV: column IDs, which stay the same in every language. */
export function formatCsvHeader(columns: readonly ResultColumn[]): string {
  return csvLine(columns.map(({ id }) => id));
}

/** Formats rows as lines of CSV. */
export function formatCsvRows(columns: readonly ResultColumn[], rows: readonly ResultRow[]): ExportLines {
  return rows.map((row) => csvLine(columns.map((column) => exportedValue(column, row))));
}

function idOf({ node }: ExportedRecord): string {
  return stringMember(node, 'id') ?? '';
}
