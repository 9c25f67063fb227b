/**
 * The searching half of the record service: queries in, Bundles out, in UTF-8. Called by the HTTP routes and by
 * conditional creates; knows neither Express nor SQL. Invariant: matches are answered from the stored bytes, which are
 * parsed only where a part of it is asked for.
 */
import { setImmediate } from 'node:timers/promises';
import { fhirPath, limits, pathOf } from '../../core/api/contract.ts';
import { formatQuery } from '../../core/api/query.ts';
import { historyPieces, searchSetPieces, type Link, type Match, type Piece } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { project } from '../../core/fhir/projection.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import { formatCursor } from '../../core/fhir/search-cursor.ts';
import type { Cursor, Projection, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { formatHistoryCursor, readHistoryCriteria } from '../../core/fhir/search-history.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import type { Erased, RecordStore, SearchPage, StoredBytes } from '../store/store.ts';
import { absent, nothingErased } from './faults.ts';

export interface SearchOptions {
  /** `Prefer: handling=lenient`. */
  readonly lenient: boolean;
  /** Absolute URL of the server, without a trailing slash. */
  readonly base: string;
}

/** What searches need of the store. */
export type SearchStore = Pick<RecordStore, 'read' | 'search' | 'total' | 'history'>;

export type SearchService = ReturnType<typeof createSearch>;

/** Where a Bundle's resource stands, indented. */
const resourceIndent = ' '.repeat(6);

/** Most characters of the resources in an indented answer. */
const mostIndented = 4 * limits.answer;

export interface SearchParts {
  readonly store: SearchStore;
  readonly clock?: () => number;
  /** None where absent. */
  readonly erased?: Pick<Erased, 'has'>;
}

export function createSearch({ store, clock = Date.now, erased = nothingErased }: SearchParts) {
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
      const criteria = readCriteria(type, pairs, { lenient, base: base + fhirPath, now: clock() });
      const page = await pageOf(criteria);
      const typeUrl = base + pathOf(type);
      const pieces = searchSetPieces({
        total: page.total,
        matches: criteria.projection ? await projected(page.records, criteria.projection) : page.records,
        links: searchLinks(criteria, page, typeUrl),
        typeUrl,
      });
      return joined(criteria.pretty ? await indented(pieces) : pieces);
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
        throw absent({ type, id }, erased);
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
      const pieces = historyPieces({ total: page.total, type, versions, links, typeUrl });
      return joined(indent ? await indented(pieces) : pieces);
    },
  };
}

/**
 * A Bundle's pieces for reading. Its resources are parsed one at a time, and other requests go between two of them.
 *
 * @throws FhirError `too-costly` where white space makes the answer too large.
 */
async function indented(pieces: readonly Piece[]): Promise<Piece[]> {
  const frame = pieces.map((piece, at) => (at % 2 === 0 ? String(piece) : 'null')).join('');
  const resources = pieces.filter((_, at) => at % 2 === 1);
  // No string holds this text, as quotes are escaped in one.
  const [head = '', ...rest] = format(scan(frame).root).split('"resource": null');
  const result: Piece[] = [head];
  let length = 0;
  for (const [at, resource] of resources.entries()) {
    const text = formatted(resource);
    length += text.length;
    if (length > mostIndented) throw tooLarge();
    result.push('"resource": ', Buffer.from(text), rest[at] ?? '');
    await setImmediate();
  }
  return result;
}

/** Of one record that is as nested and as large as can be, far less than the longest string of V8. */
function formatted(resource: Piece): string {
  const text = typeof resource === 'string' ? resource : Buffer.from(resource).toString();
  return format(scan(text).root, resourceIndent);
}

function tooLarge(): FhirError {
  return new FhirError('too-costly', {
    text: 'With white space the answer would be too large. Leave _pretty away, or send a smaller _count.',
    location: 'http._pretty',
  });
}

function tooMany(what: string): FhirError {
  return new FhirError('too-costly', {
    text: `More ${what} than one answer holds (${limits.matches}, or ${limits.answer / 1024 ** 2} MiB). Send _count to receive them page by page.`,
    location: 'http._count',
  });
}

/** The parts of the records that were asked for; other requests go between two of them. */
async function projected(records: readonly StoredBytes[], projection: Projection): Promise<Match[]> {
  const matches: Match[] = [];
  for (const { id, bytes } of records) {
    matches.push({ id, bytes: Buffer.from(project(scan(bytes.toString()).root, projection)) });
    await setImmediate();
  }
  return matches;
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
