import { mostValues, usualValues } from '../../core/app/facets.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { json } from './reply.ts';
import { pairsOf, typeOf, goneSignal } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { facetValues, type FacetStore } from '../fhir/facets.ts';

/** `/app/facets/{type}/{name}`: the values of one element among the matches of a search (core/app/facets.ts). */
export function facetRoutes(store: FacetStore, base: () => string): readonly TableRoute[] {
  const answer = json((request, response) => {
    const pairs = pairsOf(request);
    const count = pairs.find(([name]) => name === 'count')?.[1] ?? String(usualValues);
    if (!/^[1-9]\d{0,2}$/.test(count) || Number(count) > mostValues) {
      throw new FhirError('value', { text: `count is 1 to ${mostValues}.`, location: 'http.count' });
    }
    return facetValues(store, {
      type: typeOf(request),
      name: String(request.params.name),
      pairs: pairs.filter(([name]) => name !== 'count'),
      limit: Number(count),
      base: base() + fhirPath,
      signal: goneSignal(response),
    });
  });
  return [{ method: 'GET', path: '/app/facets/:type/:name', audit: 'search', answer }];
}
