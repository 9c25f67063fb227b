/**
 * Searches of the record service: queries in, Bundles in UTF-8 out. Called by the HTTP routes and by
 * conditional creates; independent of HTTP and SQL. Invariant: matches are sent as stored bytes, which
 * are parsed only if parts of them are requested.
 */
import { fhirPath, limits, pathOf } from '../../core/api/contract.ts';
import { formatQuery } from '../../core/api/query.ts';
import {
  historySet,
  searchSet,
  type Bundle,
  type BundleLink,
  type BodyPart,
} from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isFhirId, type ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import { formatCursor } from '../../core/fhir/search-cursor.ts';
import type { Cursor, Projection, SearchCriteria, Include, Term } from '../../core/fhir/search-criteria.ts';
import { formatHistoryCursor, readHistoryCriteria } from '../../core/fhir/search-history.ts';
import { defined } from '../../core/json/defined.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { ErasedRecords, RecordStore, SearchPage, OrDamaged, StoredBytes } from '../store/store.ts';
import { bufferOf, bytesOf, mapResources, indented, joinBundle, pieces, type Change } from './bundle-text.ts';
import { createMissingError, noErasures } from './service-errors.ts';
import { doHere, type Run } from './drafts.ts';
import { limits as includeLimits } from '../../core/fhir/limits.ts';
import { indexKey } from '../../core/fhir/search-parameters.ts';

const messages = defineMessages('search', {
  tooMany:
    'The result is too large for one response ({records} records or {mebibytes} MiB). Send _count to get it in pages.',
});

export interface SearchOptions {
  /** `Prefer: handling=lenient`. */
  readonly lenient: boolean;
  /** Absolute URL of the server, without a trailing slash. */
  readonly base: string;
  /** Aborted when no client waits for the response. */
  readonly signal?: AbortSignal;
}

/** Parts of the store that searches use. */
export type SearchStore = Pick<RecordStore, 'read' | 'readRemoved' | 'search' | 'total' | 'history'>;

export type SearchService = ReturnType<typeof createSearch>;

/** A Bundle that is sent while it is built. */
export interface BundleStream {
  readonly pieces: Iterable<BodyPart> | AsyncIterable<BodyPart>;
  /** Size of its largest resource in bytes; undefined if all are small. */
  readonly largest: number | undefined;
}

export interface SearchParts {
  readonly store: SearchStore;
  /** True if a search must name its subject, for types that can require it (row 58). */
  readonly requireSubject?: boolean;
  /** Runs jobs that need only texts; in this thread if absent. */
  readonly run?: Run;
  /** No record was erased if absent. */
  readonly erasures?: Pick<ErasedRecords, 'has'>;
}

export function createSearch(dependencies: SearchParts) {
  const { store, requireSubject = false, run = doHere, erasures = noErasures } = dependencies;

  async function pageOf(criteria: SearchCriteria, signal: AbortSignal | undefined): Promise<SearchPage> {
    if (criteria.totalOnly)
      return { total: await store.total(criteria, signal), records: [], hasMore: false };
    const { count } = criteria;
    return count === undefined
      ? store.search(criteria, limits.matches, signal, limits.page)
      : store.search(criteria, count, signal);
  }

  /**
   * Returns a small Bundle complete. Streams a large or an indented one, which may be many times larger
   * than its texts.
   */
  async function answerOf(
    bundle: Bundle,
    largest: number | undefined,
    { projection, pretty = false }: Partial<Pick<SearchCriteria, 'projection' | 'pretty'>>,
  ): Promise<Buffer | BundleStream> {
    const change = projection ? partOf(projection) : undefined;
    if (pretty) return { pieces: indented(bundle, run, change), largest };
    if (largest !== undefined)
      return { pieces: change ? mapResources(bundle, change) : pieces(bundle), largest };
    return change ? bufferOf(mapResources(bundle, change)) : joinBundle(bundle);
  }

  /** The marker of a damaged text is not a stored text and is sent complete. */
  function partOf(projection: Projection): Change {
    return async (resource) =>
      typeof resource === 'string' ? resource : run('project', [bytesOf(resource).toString(), projection]);
  }

  return {
    /**
     * Searches (FHIR R4 http.html#search) and returns the searchset in UTF-8. Row 57: all matches, or the
     * first page if one response cannot contain them.
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
     * Returns the history of a record, or of a type if `id` is undefined (FHIR R4 http.html#history).
     *
     * @throws FhirError as readHistoryCriteria does; `not-found` if the record does not exist; `too-costly`
     *   like a search.
     */
    async history(
      type: ResourceType,
      id: string | undefined,
      pairs: readonly Pair[],
      { lenient, base }: SearchOptions,
    ): Promise<Buffer | BundleStream> {
      const { count, since, after, pretty: indent, usedPairs } = readHistoryCriteria(pairs, { lenient });
      if (id !== undefined && !(isFhirId(id) && (await store.read(type, id)))) {
        throw await createMissingError({ type, id }, erasures, store);
      }
      const limit = count === 0 ? 1 : (count ?? limits.matches);
      const page = await store.history(type, defined({ id, since, after }), limit);
      if (count === undefined && page.hasMore) throw createTooManyError();
      const url = `${base}${pathOf(type, id)}/_history`;
      const links: BundleLink[] = [{ relation: 'self', url: address(url, usedPairs) }];
      if (count !== undefined && count > 0) {
        links.push({ relation: 'first', url: address(url, usedPairs, '') });
        if (page.next)
          links.push({ relation: 'next', url: address(url, usedPairs, formatHistoryCursor(page.next)) });
      }
      const typeUrl = base + pathOf(type);
      const versions = count === 0 ? [] : page.versions;
      const bundle = historySet({ total: page.total, type, versions, links, typeUrl });
      return answerOf(bundle, page.largest, { pretty: indent });
    },
  };
}

function createTooManyError(): FhirError {
  const size = { records: limits.matches, mebibytes: limits.answer / 1024 ** 2 };
  return new FhirError('too-costly', { ...messages.tooMany(size), location: 'http._count' });
}

/**
 * Adds `first`, `previous` and `next` if there are pages. If the search gave no page size, the links
 * contain it.
 */
function searchLinks(
  { sort, count, totalOnly, usedPairs }: SearchCriteria,
  page: SearchPage,
  url: string,
): BundleLink[] {
  const self: BundleLink = { relation: 'self', url: address(url, usedPairs) };
  if (totalOnly || (count === undefined && !page.hasMore)) return [self];
  const sizedPairs: readonly Pair[] =
    count === undefined ? [...usedPairs, ['_count', String(limits.page)]] : usedPairs;
  const to = (relation: BundleLink['relation'], cursor: Cursor | undefined): BundleLink[] =>
    cursor ? [{ relation, url: address(url, sizedPairs, formatCursor(sort, cursor)) }] : [];
  return [
    self,
    { relation: 'first', url: address(url, sizedPairs, '') },
    ...to('previous', page.previousCursor),
    ...to('next', page.nextCursor),
  ];
}

/** Returns the URL of a query. `cursor` replaces the query's own; an empty one removes it. */
function address(url: string, usedPairs: readonly Pair[], cursor?: string): string {
  const pairs: readonly Pair[] =
    cursor === undefined
      ? usedPairs
      : [...usedPairs.filter(([name]) => name !== '_cursor'), ['_cursor', cursor]];
  const query = formatQuery(pairs);
  return query === '' ? url : `${url}?${query}`;
}

const includeMessages = defineMessages('include', {
  cut: 'Too many included records; some are omitted. Send a smaller _count.',
});

/** Ids that one question to the store names. */
const batchSize = 250;

/** Resources that a page includes in addition to its matches. */
interface Included {
  readonly records: OrDamaged<StoredBytes>[];
  /** Message that some records were omitted. */
  readonly cut?: Message;
}

interface IncludeParts {
  readonly store: Pick<RecordStore, 'search'>;
  readonly run: Run;
  /** Absolute URL below which the records live: references to it are as good as relative ones. */
  readonly base: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the resources that the matches of a page refer to or that refer to them (row 66), each once and
 * without the matches. Limited to the size of a page.
 */
async function includedOf(
  matches: Iterable<OrDamaged<StoredBytes>>,
  { type, includes }: Pick<SearchCriteria, 'type' | 'includes'>,
  { store, run, base, signal }: IncludeParts,
): Promise<Included> {
  const includedByName = new Map<string, OrDamaged<StoredBytes>>();
  const matched = new Set(Array.from(matches, ({ id }) => id));
  const knownNames = new Set(matched);
  for (const include of includes) {
    for (const term of await termsOf(include)) {
      const page = await store.search(plain(term), includeLimits.page, signal);
      for (const includedRecord of page.records) {
        if (knownNames.has(includedRecord.id)) continue;
        if (includedByName.size === includeLimits.page) return cut();
        includedByName.set(includedRecord.id, includedRecord);
        knownNames.add(includedRecord.id);
      }
      if (page.hasMore) return cut();
    }
  }
  return { records: [...includedByName.values()] };

  function plain(term: Term): SearchCriteria {
    const shape = { totalOnly: false, withoutTotal: true, pretty: false, includes: [], usedPairs: [] };
    return { type, terms: [term], sort: [{ column: '_lastUpdated', descending: true }], ...shape };
  }

  function cut(): Included {
    return { records: [...includedByName.values()], cut: includeMessages.cut() };
  }

  async function termsOf({ parameter, reverse }: Include): Promise<Term[]> {
    const key = indexKey(type, parameter);
    if (reverse) {
      const values = [...matched].map((id) => ({ id, type }));
      return batches(values).map((batchValues) => ({ kind: 'reference', key, values: batchValues }));
    }
    const ids = new Set<string>();
    for (const match of matches) {
      if (!('bytes' in match)) continue;
      for (const { target, ...namedReference } of await run('references', [
        bytesOf(match.bytes).toString(),
        type,
        key,
      ])) {
        const isLocal =
          namedReference.base === null ||
          namedReference.base === base ||
          namedReference.base.startsWith('urn:');
        if (isLocal && (namedReference.type ?? type) === type && !knownNames.has(target)) ids.add(target);
      }
    }
    return batches([...ids]).map((batchIds) => ({ kind: 'id', values: batchIds }));
  }
}

function batches<Value>(values: readonly Value[]): Value[][] {
  return Array.from({ length: Math.ceil(values.length / batchSize) }, (_, index) =>
    values.slice(index * batchSize, (index + 1) * batchSize),
  );
}
