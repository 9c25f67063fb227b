import { useQuery } from '@tanstack/react-query';
import { narrow } from '../../../core/api/narrow.ts';
import { formatQuery } from '../../../core/api/query.ts';
import { FacetAnswer, maxValues, defaultFacetCount } from '../../../core/app/facets.ts';
import type { SearchQuery } from '../../../core/app/searches.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
import { useConnection } from '../../platform/connection.ts';
import { fetchAppData } from '../../platform/transfer.ts';
import { listSelectedValues, sameChoice, withoutFacet, type Choice } from './narrowing.ts';

/** Search whose facets are counted. */
export interface FacetContext {
  readonly searchQuery: SearchQuery;
  /** Time of the loaded rows. Facets are counted again when the rows reload; undefined until they are loaded. */
  readonly readAt: number | undefined;
}

interface FacetToCount extends FacetContext {
  readonly ready: boolean;
  readonly count: number;
}

/** Counts the values of one facet. Shows the previous counts until the new ones arrive. */
export function useFacet(facet: Facet, { searchQuery, readAt, ready, count }: FacetToCount) {
  const { name } = useConnection();
  const { type } = searchQuery;
  const pairs = withoutFacet(searchQuery.pairs, facet);
  return useQuery({
    queryKey: ['facets', name, type, facet.name, pairs, count, readAt ?? 0] as const,
    enabled: ready && readAt !== undefined,
    queryFn: async ({ signal }): Promise<FacetAnswer> => {
      const parameters = formatQuery([...pairs, ['count', String(count)]]);
      return narrow(await fetchAppData(`/facets/${type}/${facet.name}?${parameters}`, signal), FacetAnswer);
    },
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[2] === type ? previousData : undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
}

/**
 * Returns a function for the labels of selected values. Requests all values if the most frequent ones lack a label.
 */
export function useNames(facet: Facet, facetContext: FacetContext): (choice: Choice) => string | undefined {
  const defaultAnswer = useFacet(facet, { ...facetContext, ready: false, count: defaultFacetCount }).data;
  const labelIn = (answer: FacetAnswer | undefined, choice: Choice) =>
    answer?.values.find(({ pairs }) => sameChoice(pairs, choice))?.label;
  const hasMore = defaultAnswer !== undefined && defaultAnswer.total > defaultAnswer.values.length;
  const isNameMissing =
    hasMore &&
    listSelectedValues(facetContext.searchQuery.pairs, facet).some(
      (choice) => labelIn(defaultAnswer, choice) === undefined,
    );
  const fullAnswer = useFacet(facet, { ...facetContext, ready: isNameMissing, count: maxValues }).data;
  return (choice) => labelIn(defaultAnswer, choice) ?? labelIn(fullAnswer, choice);
}
