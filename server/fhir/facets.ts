/** Lists the values of a search with their counts, labeled as in the records. Read-only. */
import type { FacetAnswer, FacetEntry } from '../../core/app/facets.ts';
import { facetNames, facetOf, labelIn, pairsOf, type Facet, type FacetValue } from '../../core/fhir/facet.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import { readCriteria, type Pair } from '../../core/fhir/search.ts';
import { scan } from '../../core/json/scan.ts';
import { formatMessage } from './rule-sentences.ts';
import type { SharedStore } from '../store/store.ts';

const messages = defineMessages('facet', {
  absent: '{type} has no such facet. Available: {names}.',
});

export interface FacetQuery {
  readonly type: ResourceType;
  /** The facet's name. */
  readonly name: string;
  readonly pairs: readonly Pair[];
  readonly limit: number;
  /** Absolute URL below which the records live. */
  readonly base: string;
  /** Aborted when no client waits for the values. */
  readonly signal?: AbortSignal;
}

export type FacetStore = Pick<SharedStore, 'facet' | 'read'>;

/** @throws FhirError if the type has no such facet, and the errors of a search with these pairs. */
export async function facetValues(
  store: FacetStore,
  { type, name, pairs, limit, base, signal }: FacetQuery,
): Promise<FacetAnswer> {
  const facet = facetOf(type, name);
  if (!facet) {
    const names = formatList(facetNames(type), 'unit');
    throw new FhirError('not-found', messages.absent({ type, names }));
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
      return formatMessage(value.rule);
    case 'date':
      return value.month;
    case 'uri':
      return value.uri;
    case 'token':
    case 'reference': {
      const storedRecord = await store.read(record.type, record.id);
      const label =
        storedRecord && 'text' in storedRecord && 'parameter' in facet
          ? labelIn(facet.parameter, scan(storedRecord.text).root, value)
          : undefined;
      return (
        label ?? (value.kind === 'token' ? value.code : [value.type, value.id].filter(Boolean).join('/'))
      );
    }
  }
}
