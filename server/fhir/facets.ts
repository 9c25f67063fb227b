/** The values of a search with their counts, each called what a record calls it. Reads, and changes nothing. */
import type { FacetAnswer, FacetEntry } from '../../core/app/facets.ts';
import { facetNames, facetOf, labelIn, pairsOf, type Facet, type FacetValue } from '../../core/fhir/facet.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import { scan } from '../../core/json/scan.ts';
import { sentenceOf } from './rule-sentences.ts';
import type { SharedStore } from '../store/store.ts';

export interface FacetQuery {
  readonly type: ResourceType;
  /** The facet's name. */
  readonly name: string;
  readonly pairs: readonly Pair[];
  readonly limit: number;
  /** Absolute URL below which the records live. */
  readonly base: string;
  /** Ends when nobody waits for the values any more. */
  readonly signal?: AbortSignal;
}

export type FacetStore = Pick<SharedStore, 'facet' | 'read'>;

/** @throws FhirError where the type has no such facet, and what a search with these pairs throws. */
export async function facetValues(
  store: FacetStore,
  { type, name, pairs, limit, base, signal }: FacetQuery,
): Promise<FacetAnswer> {
  const facet = facetOf(type, name);
  if (!facet) {
    const text = `${type} has no values named so; it has ${facetNames(type).join(', ')}.`;
    throw new FhirError('not-found', { text });
  }
  const criteria = readCriteria(type, pairs, { base, now: Date.now() });
  const { values, total } = await store.facet(criteria, facet, limit, signal);
  const entries = values.map(async ({ value, count, id }): Promise<FacetEntry> => ({
    label: await labelOf(store, facet, value, { type, id }),
    count,
    pairs: pairsOf(facet, value).map(([pair, text]) => [pair, text]),
    ...(value.kind === 'finding' && { rule: value.rule }),
  }));
  return { values: await Promise.all(entries), total };
}

async function labelOf(
  store: FacetStore,
  facet: Facet,
  value: FacetValue,
  record: { type: ResourceType; id: string },
) {
  switch (value.kind) {
    case 'finding':
      return sentenceOf(value.rule);
    case 'date':
      return value.month;
    case 'uri':
      return value.uri;
    case 'token':
    case 'reference': {
      const found = await store.read(record.type, record.id);
      const said =
        found && 'text' in found && 'parameter' in facet
          ? labelIn(facet.parameter, scan(found.text).root, value)
          : undefined;
      return said ?? (value.kind === 'token' ? value.code : [value.type, value.id].filter(Boolean).join('/'));
    }
  }
}
