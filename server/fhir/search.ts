/**
 * The searching half of the record service: queries in, Bundles out, in UTF-8. Called by the HTTP routes and by
 * conditional creates; knows neither Express nor SQL. Invariant: matches are answered from the stored bytes, which are
 * parsed only where a part of it is asked for.
 */
import { fhirPath, limits, pathOf } from '../../core/api/contract.ts';
import { formatQuery } from '../../core/api/query.ts';
import { historySet, searchSet, type Bundle, type Link, type Piece } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import { formatCursor } from '../../core/fhir/search-cursor.ts';
import type { Cursor, Projection, SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { formatHistoryCursor, readHistoryCriteria } from '../../core/fhir/search-history.ts';
import type { Erased, RecordStore, SearchPage } from '../store/store.ts';
import { bufferOf, bytesOf, changed, indented, joined, pieces, type Change } from './bundle-text.ts';
import { absent, nothingErased } from './faults.ts';
import { doHere, type Run } from './jobs.ts';

export interface SearchOptions {
  /** `Prefer: handling=lenient`. */
  readonly lenient: boolean;
  /** Absolute URL of the server, without a trailing slash. */
  readonly base: string;
  /** Aborted where nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** What searches need of the store. */
export type SearchStore = Pick<RecordStore, 'read' | 'search' | 'total' | 'history'>;

export type SearchService = ReturnType<typeof createSearch>;

/** A Bundle that is sent as it is made. */
export interface BundleStream {
  readonly pieces: Iterable<Piece> | AsyncIterable<Piece>;
  /** Bytes of its largest resource; undefined where all of them are small. */
  readonly largest: number | undefined;
}

export interface SearchParts {
  readonly store: SearchStore;
  readonly clock?: () => number;
  /** Does what is done with texts alone; here where absent. */
  readonly run?: Run;
  /** None where absent. */
  readonly erased?: Pick<Erased, 'has'>;
}

export function createSearch(parts: SearchParts) {
  const { store, clock = Date.now, run = doHere, erased = nothingErased } = parts;

  async function pageOf(criteria: SearchCriteria, signal: AbortSignal | undefined): Promise<SearchPage> {
    if (criteria.totalOnly) return { total: await store.total(criteria, signal), records: [], more: false };
    const page = await store.search(criteria, criteria.count ?? limits.matches, signal);
    if (criteria.count === undefined && page.more) throw tooMany('records match');
    return page;
  }

  /** A small Bundle whole; as a stream a large one, and one for reading, which may be many times its texts. */
  async function answerOf(
    bundle: Bundle,
    largest: number | undefined,
    { projection, pretty = false }: Partial<Pick<SearchCriteria, 'projection' | 'pretty'>>,
  ): Promise<Buffer | BundleStream> {
    const change = projection ? partOf(projection) : undefined;
    if (pretty) return { pieces: indented(bundle, run, change), largest };
    if (largest !== undefined) return { pieces: change ? changed(bundle, change) : pieces(bundle), largest };
    return change ? bufferOf(changed(bundle, change)) : joined(bundle);
  }

  /** What is no stored text stands in the place of one, and is answered whole. */
  function partOf(projection: Projection): Change {
    return async (resource) =>
      typeof resource === 'string' ? resource : run('project', [bytesOf(resource).toString(), projection]);
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
      { lenient, base, signal }: SearchOptions,
    ): Promise<Buffer | BundleStream> {
      const criteria = readCriteria(type, pairs, { lenient, base: base + fhirPath, now: clock() });
      const page = await pageOf(criteria, signal);
      const typeUrl = base + pathOf(type);
      const links = searchLinks(criteria, page, typeUrl);
      const bundle = searchSet({ total: page.total, matches: page.records, links, typeUrl });
      return answerOf(bundle, page.largest, criteria);
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
    ): Promise<Buffer | BundleStream> {
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
      const bundle = historySet({ total: page.total, type, versions, links, typeUrl });
      return answerOf(bundle, page.largest, { pretty: indent });
    },
  };
}

function tooMany(what: string): FhirError {
  return new FhirError('too-costly', {
    text: `More ${what} than one answer holds (${limits.matches}, or ${limits.answer / 1024 ** 2} MiB). Send _count to receive them page by page.`,
    location: 'http._count',
  });
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
