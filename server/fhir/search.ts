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
import { defined } from '../../core/json/defined.ts';
import type { Erased, RecordStore, SearchPage } from '../store/store.ts';
import { bufferOf, bytesOf, changed, indented, joined, pieces, type Change } from './bundle-text.ts';
import { absent, nothingErased } from './faults.ts';
import { includedOf } from './includes.ts';
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
  /** Whether a search must name whom it is about, where the type may ask that (row 58). */
  readonly requireSubject?: boolean;
  /** Does what is done with texts alone; here where absent. */
  readonly run?: Run;
  /** None where absent. */
  readonly erased?: Pick<Erased, 'has'>;
}

export function createSearch(parts: SearchParts) {
  const { store, requireSubject = false, run = doHere, erased = nothingErased } = parts;

  async function pageOf(criteria: SearchCriteria, signal: AbortSignal | undefined): Promise<SearchPage> {
    if (criteria.totalOnly) return { total: await store.total(criteria, signal), records: [], more: false };
    const { count } = criteria;
    return count === undefined
      ? store.search(criteria, limits.matches, signal, limits.page)
      : store.search(criteria, count, signal);
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
     * Row 57: all matches, or the first page where they are too many for one answer.
     *
     * @throws FhirError as readCriteria does.
     */
    async search(
      type: ResourceType,
      pairs: readonly Pair[],
      { lenient, base, signal }: SearchOptions,
    ): Promise<Buffer | BundleStream> {
      const criteria = readCriteria(type, pairs, {
        lenient,
        base: base + fhirPath,
        requireSubject,
        now: Date.now(),
      });
      const page = await pageOf(criteria, signal);
      const typeUrl = base + pathOf(type);
      const links = searchLinks(criteria, page, typeUrl);
      const total = criteria.withoutTotal && !criteria.totalOnly ? undefined : page.total;
      const matches = page.records;
      const included =
        criteria.totalOnly || criteria.includes.length === 0
          ? undefined
          : await includedOf(matches, criteria, { store, run, base: base + fhirPath, signal });
      const bundle = searchSet({ total, matches, ...(included && { included }), links, typeUrl });
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
      const limit = count === 0 ? 1 : (count ?? limits.matches);
      const page = await store.history(type, defined({ id, since, after }), limit);
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

/**
 * `first`, `previous` and `next` stand where there are pages, each where there is one; of a search that did not ask for them
 * they name their size.
 */
function searchLinks(
  { sort, count, totalOnly, used }: SearchCriteria,
  page: SearchPage,
  url: string,
): Link[] {
  const self: Link = { relation: 'self', url: address(url, used) };
  if (totalOnly || (count === undefined && !page.more)) return [self];
  const sized: readonly Pair[] = count === undefined ? [...used, ['_count', String(limits.page)]] : used;
  const to = (relation: Link['relation'], cursor: Cursor | undefined): Link[] =>
    cursor ? [{ relation, url: address(url, sized, formatCursor(sort, cursor)) }] : [];
  return [
    self,
    { relation: 'first', url: address(url, sized, '') },
    ...to('previous', page.previous),
    ...to('next', page.next),
  ];
}

/** The URL of a query; with `cursor` in the place of the query's own, without one where it is empty. */
function address(url: string, used: readonly Pair[], cursor?: string): string {
  const pairs: readonly Pair[] =
    cursor === undefined ? used : [...used.filter(([name]) => name !== '_cursor'), ['_cursor', cursor]];
  const query = formatQuery(pairs);
  return query === '' ? url : `${url}?${query}`;
}
