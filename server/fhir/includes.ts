import { limits } from '../../core/fhir/limits.ts';
import type { Include, SearchCriteria, Term } from '../../core/fhir/search-criteria.ts';
import { indexKey } from '../../core/fhir/search-parameters.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { OrDamaged, RecordStore, StoredBytes } from '../store/store.ts';
import { bytesOf } from './bundle-text.ts';
import type { Run } from './drafts.ts';

const messages = defineMessages('include', {
  cut: 'Too many included records; some are omitted. Send a smaller _count.',
});

/** Ids that one question to the store names. */
const batchSize = 250;

/** Resources that a page includes in addition to its matches. */
export interface Included {
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
export async function includedOf(
  matches: Iterable<OrDamaged<StoredBytes>>,
  { type, includes }: Pick<SearchCriteria, 'type' | 'includes'>,
  { store, run, base, signal }: IncludeParts,
): Promise<Included> {
  const includedByName = new Map<string, OrDamaged<StoredBytes>>();
  const matched = new Set(Array.from(matches, ({ id }) => id));
  const knownNames = new Set(matched);
  for (const include of includes) {
    for (const term of await termsOf(include)) {
      const page = await store.search(plain(term), limits.page, signal);
      for (const includedRecord of page.records) {
        if (knownNames.has(includedRecord.id)) continue;
        if (includedByName.size === limits.page) return cut();
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
    return { records: [...includedByName.values()], cut: messages.cut() };
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
