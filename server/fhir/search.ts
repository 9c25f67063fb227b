/**
 * The searching half of the record service: queries in, Bundles out, in UTF-8. Called by the HTTP routes and by
 * conditional creates; knows neither Express nor SQL. Invariant: matches are answered from the stored bytes, which are
 * parsed only where a part of it is asked for.
 */
import { fhirPath, limits, pathOf } from '../../core/api/contract.ts';
import { formatQuery } from '../../core/api/query.ts';
import { historyText, searchSetPieces, type Link, type Match, type Piece } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { project } from '../../core/fhir/projection.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import { formatCursor } from '../../core/fhir/search-cursor.ts';
import type { Cursor, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { formatHistoryCursor, readHistoryCriteria } from '../../core/fhir/search-history.ts';
import { format } from '../../core/json/print.ts';
import { maxDepth, scan } from '../../core/json/scan.ts';
import type { RecordStore, SearchPage, StoredBytes } from '../store/store.ts';
import { noSuchRecord } from './faults.ts';

export interface SearchOptions {
  /** `Prefer: handling=lenient`. */
  readonly lenient: boolean;
  /** Absolute URL of the server, without a trailing slash. */
  readonly base: string;
}

/** What searches need of the store. */
export type SearchStore = Pick<RecordStore, 'read' | 'search' | 'total' | 'history'>;

export type SearchService = ReturnType<typeof createSearch>;

/** A Bundle nests its resources three levels deeper than they stand alone. */
const bundleDepth = maxDepth + 3;

export function createSearch({ store }: { readonly store: SearchStore }) {
  async function pageOf(criteria: SearchCriteria): Promise<SearchPage> {
    if (criteria.totalOnly) return { total: await store.total(criteria), records: [], more: false };
    const page = await store.search(criteria, criteria.count ?? limits.matches);
    if (criteria.count === undefined && page.more) throw tooMany('records match');
    return page;
  }

  return {
    /**
     * A search (FHIR R4 http.html#search): the searchset in UTF-8.
     *
     * @throws FhirError as readCriteria does; `too-costly` where all matches would be too many for one answer.
     */
    async search(
      type: ResourceType,
      pairs: readonly Pair[],
      { lenient, base }: SearchOptions,
    ): Promise<Buffer> {
      const criteria = readCriteria(type, pairs, { lenient, base: base + fhirPath });
      const page = await pageOf(criteria);
      const typeUrl = base + pathOf(type);
      const pieces = searchSetPieces({
        total: page.total,
        matches: page.records.map((record) => shownPart(record, criteria)),
        links: searchLinks(criteria, page, typeUrl),
        typeUrl,
      });
      const bytes = joined(pieces);
      return criteria.pretty ? inOneText(() => Buffer.from(pretty(bytes.toString()))) : bytes;
    },

    /**
     * The history of a record, or of a type where `id` is undefined (FHIR R4 http.html#history).
     *
     * @throws FhirError as readHistoryCriteria does; `not-found` where the record is not, `too-costly` as a search.
     */
    async history(
      type: ResourceType,
      id: string | undefined,
      pairs: readonly Pair[],
      { lenient, base }: SearchOptions,
    ): Promise<Buffer> {
      const { count, since, after, pretty: indent, used } = readHistoryCriteria(pairs, { lenient });
      if (id !== undefined && !(isFhirId(id) && (await store.read(type, id)))) {
        throw noSuchRecord(type);
      }
      const query = {
        ...(id !== undefined && { id }),
        ...(since !== undefined && { since }),
        ...(after && { after }),
      };
      const limit = count === 0 ? 1 : (count ?? limits.matches);
      const page = await store.history(type, query, limit);
      if (count === undefined && page.more) throw tooMany('versions were stored');
      const url = `${base}${pathOf(type, id)}/_history`;
      const links: Link[] = [{ relation: 'self', url: address(url, used) }];
      if (count !== undefined && count > 0) {
        links.push({ relation: 'first', url: address(url, used, '') });
        if (page.next)
          links.push({ relation: 'next', url: address(url, used, formatHistoryCursor(page.next)) });
      }
      const typeUrl = base + pathOf(type);
      const versions = count === 0 ? [] : page.versions;
      return inOneText(() => {
        const text = historyText({ total: page.total, type, versions, links, typeUrl });
        return Buffer.from(indent ? pretty(text) : text);
      });
    },
  };
}

/** What `make` answers, or `too-costly` where that is longer than any string can be. */
function inOneText(make: () => Buffer): Buffer {
  try {
    return make();
  } catch (error) {
    if (!isTooLong(error)) throw error;
    throw new FhirError('too-costly', {
      text: 'The answer would be too large. Send _count to receive it page by page, or a smaller one.',
      location: 'http._count',
    });
  }
}

/** As V8 says it of a string that is put together, and Node of one that is decoded. */
function isTooLong(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.message === 'Invalid string length' || ('code' in error && error.code === 'ERR_STRING_TOO_LONG')
  );
}

function tooMany(what: string): FhirError {
  return new FhirError('too-costly', {
    text: `More than ${limits.matches} ${what}. Send _count to receive them page by page.`,
    location: 'http._count',
  });
}

function shownPart({ id, bytes }: StoredBytes, { projection }: SearchCriteria): Match {
  const shown = projection ? Buffer.from(project(scan(bytes.toString()).root, projection)) : bytes;
  return { id, bytes: shown };
}

/** The pieces in one Buffer: each goes there once. */
function joined(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** `first`, `previous` and `next` stand where pages were asked for, each where there is one. */
function searchLinks(
  { sort, count, totalOnly, used }: SearchCriteria,
  page: SearchPage,
  url: string,
): Link[] {
  const to = (relation: Link['relation'], cursor: Cursor | undefined): Link[] =>
    cursor ? [{ relation, url: address(url, used, formatCursor(sort, cursor)) }] : [];
  const paged = count !== undefined && !totalOnly;
  return [
    { relation: 'self', url: address(url, used) },
    ...(paged ? [{ relation: 'first', url: address(url, used, '') } as const] : []),
    ...(paged ? [...to('previous', page.previous), ...to('next', page.next)] : []),
  ];
}

/** The URL of a query; with `cursor` in the place of the query's own, without one where it is empty. */
function address(url: string, used: readonly Pair[], cursor?: string): string {
  const pairs: readonly Pair[] =
    cursor === undefined ? used : [...used.filter(([name]) => name !== '_cursor'), ['_cursor', cursor]];
  const query = formatQuery(pairs);
  return query === '' ? url : `${url}?${query}`;
}

function pretty(text: string): string {
  return format(scan(text, bundleDepth).root);
}
