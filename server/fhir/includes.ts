import { limits } from '../../core/fhir/limits.ts';
import type { Include, SearchCriteria, Term } from '../../core/fhir/search-criteria.ts';
import { indexKey } from '../../core/fhir/search-parameters.ts';
import type { OrDamaged, RecordStore, StoredBytes } from '../store/store.ts';
import { bytesOf } from './bundle-text.ts';
import type { Run } from './jobs.ts';

/** Ids that one question to the store names. */
const atOnce = 250;

/** What is found beside the matches of a page. */
export interface Included {
  readonly records: OrDamaged<StoredBytes>[];
  /** Said where there is more of it. */
  readonly cut?: string;
}

interface IncludeParts {
  readonly store: Pick<RecordStore, 'search'>;
  readonly run: Run;
  /** Absolute URL below which the records live: references to it are as good as relative ones. */
  readonly base: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Row 66: what the matches of a page refer to, or what refers to them, each record once and none that is a match; as
 * many as a page holds.
 */
export async function includedOf(
  matches: Iterable<OrDamaged<StoredBytes>>,
  { type, includes }: Pick<SearchCriteria, 'type' | 'includes'>,
  { store, run, base, signal }: IncludeParts,
): Promise<Included> {
  const found = new Map<string, OrDamaged<StoredBytes>>();
  const matched = new Set(Array.from(matches, ({ id }) => id));
  const known = new Set(matched);
  for (const include of includes) {
    for (const term of await termsOf(include)) {
      const page = await store.search(plain(term), limits.page, signal);
      for (const one of page.records) {
        if (known.has(one.id)) continue;
        if (found.size === limits.page) return cut();
        found.set(one.id, one);
        known.add(one.id);
      }
      if (page.more) return cut();
    }
  }
  return { records: [...found.values()] };

  function plain(term: Term): SearchCriteria {
    const shape = { totalOnly: false, withoutTotal: true, pretty: false, includes: [], used: [] };
    return { type, terms: [term], sort: [{ column: '_lastUpdated', descending: true }], ...shape };
  }

  function cut(): Included {
    const text =
      'Not all records that belong to these are included, as they are too many; send a smaller _count.';
    return { records: [...found.values()], cut: text };
  }

  async function termsOf({ parameter, reverse }: Include): Promise<Term[]> {
    const key = indexKey(type, parameter);
    if (reverse) {
      const values = [...matched].map((id) => ({ id, type }));
      return batches(values).map((anyOf) => ({ kind: 'reference', key, anyOf }));
    }
    const ids = new Set<string>();
    for (const one of matches) {
      if (!('bytes' in one)) continue;
      for (const { target, ...named } of await run('references', [
        bytesOf(one.bytes).toString(),
        type,
        key,
      ])) {
        const here = named.base === null || named.base === base || named.base.startsWith('urn:');
        if (here && (named.type ?? type) === type && !known.has(target)) ids.add(target);
      }
    }
    return batches([...ids]).map((anyOf) => ({ kind: 'id', anyOf }));
  }
}

function batches<Value>(values: readonly Value[]): Value[][] {
  return Array.from({ length: Math.ceil(values.length / atOnce) }, (_, index) =>
    values.slice(index * atOnce, (index + 1) * atOnce),
  );
}
