import type { Client } from '../../../core/api/client.ts';
import { UnknownForm } from '../../../core/api/failure.ts';
import { listedOnce, type ListedOnce } from '../../../core/app/listed-once.ts';
import { csvLine } from '../../../core/app/csv.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import { stringMember, type JsonNode } from '../../../core/json/node.ts';
import { exportedValue, type ResultColumn } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';

/** What an export is written as: what stands before, between and behind its records. */
export const formats = {
  csv: { extension: 'csv', media: 'text/csv', head: '', between: '', tail: '' },
  ndjson: { extension: 'ndjson', media: 'application/x-ndjson', head: '', between: '', tail: '' },
  bundle: {
    extension: 'json',
    media: 'application/fhir+json',
    head: '{"resourceType":"Bundle","type":"collection","entry":[\n',
    between: ',\n',
    tail: '\n]}\n',
  },
} as const;
export type Format = keyof typeof formats;

/** What is written of one page: a text for each record. */
export type Written = readonly string[];

interface PageRead {
  readonly next?: string;
}

/** A record out of an answer. */
interface Found {
  readonly node: JsonNode;
  readonly text: string;
}

/** Pages of whole records that are read at once. */
const pageSize = 200;

/**
 * The pages of a search from its first on, as its `next` links lead.
 *
 * @throws UnknownForm where a server leads back to a page that was read.
 */
export async function* pagesOf<Page extends PageRead>(
  read: (next: string) => Promise<Page>,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let next: string | undefined = ''; next !== undefined;) {
    if (seen.has(next)) throw new UnknownForm('The server led back to a page that was read already.');
    seen.add(next);
    const page: Page = await read(next);
    yield page;
    next = page.next;
  }
}

/** Lets each record that a search finds pass once. */
export function foundOnce(): ListedOnce<Found> {
  return listedOnce(idOf);
}

/** Every record that a search finds, once, its text as the server holds it. */
export async function* recordsOf(
  client: Client,
  { type, pairs }: SearchQuery,
  list = foundOnce(),
): AsyncGenerator<readonly Found[]> {
  const first = () => client.search(type, [...pairs, ['_count', String(pageSize)]]);
  for await (const { records } of pagesOf((next) => (next === '' ? first() : client.nextPage(type, next)))) {
    yield list.take(records);
  }
}

/** The records of these rows, in their order; those that are gone are left out. */
export async function* recordsOfRows(
  client: Client,
  type: SearchQuery['type'],
  rows: readonly ResultRow[],
): AsyncGenerator<readonly Found[]> {
  for (let at = 0; at < rows.length; at += pageSize / 2) {
    const ids = rows.slice(at, at + pageSize / 2).map(({ id }) => id);
    const found = new Map<string, Found>();
    for await (const records of recordsOf(client, { type, pairs: [['_id', ids.join(',')]] })) {
      for (const record of records) found.set(idOf(record), record);
    }
    yield ids.flatMap((id) => found.get(id) ?? []);
  }
}

/** Records as the lines of NDJSON, or as the entries of a Bundle below the address. */
export function written(format: Exclude<Format, 'csv'>, records: readonly Found[], base: string): Written {
  if (format === 'ndjson') return records.map(({ text }) => `${text}\n`);
  return records.map((record) => {
    const url = `${base}/${stringMember(record.node, 'resourceType') ?? ''}/${idOf(record)}`;
    return `{"fullUrl":${JSON.stringify(url)},"resource":${record.text}}`;
  });
}

/** The names of columns as the first line of CSV. */
export function csvHead(columns: readonly ResultColumn[]): string {
  return csvLine(columns.map(({ label }) => label));
}

/** What columns say of rows, as lines of CSV. */
export function csvRows(columns: readonly ResultColumn[], rows: readonly ResultRow[]): Written {
  return rows.map((row) => csvLine(columns.map((column) => exportedValue(column, row))));
}

function idOf({ node }: Found): string {
  return stringMember(node, 'id') ?? '';
}
