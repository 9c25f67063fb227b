import { useQuery } from '@tanstack/react-query';
import { narrow } from '../../../core/api/narrow.ts';
import { formatQuery } from '../../../core/api/query.ts';
import { FacetAnswer, mostValues, usualValues } from '../../../core/app/facets.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
import { useConnection } from '../../platform/connection.ts';
import { lookAt } from '../../platform/transfer.ts';
import { chosenOf, sameChoice, withoutFacet, type Choice } from './narrowing.ts';

/** What the values are of. */
export interface Narrowed {
  readonly asked: SearchQuery;
  /** When its rows were read, which are counted anew once they are read anew; undefined until they are there. */
  readonly readAt: number | undefined;
}

interface FacetToCount extends Narrowed {
  readonly ready: boolean;
  /** How many values are asked for. */
  readonly count: number;
}

/** The values of one facet of a search; what was counted before is shown until it is counted anew. */
export function useFacet(facet: Facet, { asked, readAt, ready, count }: FacetToCount) {
  const { name } = useConnection();
  const { type } = asked;
  const pairs = withoutFacet(asked.pairs, facet);
  return useQuery({
    queryKey: ['facets', name, type, facet.name, pairs, count, readAt ?? 0] as const,
    enabled: ready && readAt !== undefined,
    queryFn: async ({ signal }): Promise<FacetAnswer> => {
      const query = formatQuery([...pairs, ['count', String(count)]]);
      return narrow(await lookAt(`/facets/${type}/${facet.name}?${query}`, signal), FacetAnswer);
    },
    placeholderData: (kept, former) => (former?.queryKey[2] === type ? kept : undefined),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
}

/** What the chosen values of a facet are called. Where the most frequent ones lack one of them, the others are asked for. */
export function useNames(facet: Facet, narrowed: Narrowed): (choice: Choice) => string | undefined {
  const usual = useFacet(facet, { ...narrowed, ready: false, count: usualValues }).data;
  const labelIn = (answer: FacetAnswer | undefined, choice: Choice) =>
    answer?.values.find(({ pairs }) => sameChoice(pairs, choice))?.label;
  const more = usual !== undefined && usual.total > usual.values.length;
  const lacks =
    more && chosenOf(narrowed.asked.pairs, facet).some((one) => labelIn(usual, one) === undefined);
  const all = useFacet(facet, { ...narrowed, ready: lacks, count: mostValues }).data;
  return (choice) => labelIn(usual, choice) ?? labelIn(all, choice);
}
