import { maxValues, defaultFacetCount } from '../../core/app/facets.ts';
import { fhirPath } from '../../core/api/contract.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import { facetValues, type FacetStore } from '../fhir/facets.ts';

const messages = defineMessages('facet', { invalidCount: 'count must be 1 to {most}.' });

/** `/app/facets/{type}/{name}`: values of one element in the matches of a search (core/app/facets.ts). */
export function createFacetRoutes(store: FacetStore, base: () => string): readonly TableRoute[] {
  const handle = createJsonHandler((request) => {
    const pairs = request.query;
    const count = pairs.find(([name]) => name === 'count')?.[1] ?? String(defaultFacetCount);
    if (!/^[1-9]\d{0,2}$/.test(count) || Number(count) > maxValues) {
      throw new FhirError('value', {
        ...messages.invalidCount({ most: maxValues }),
        location: 'http.count',
      });
    }
    return facetValues(store, {
      type: request.type,
      name: request.params.name ?? '',
      pairs: pairs.filter(([name]) => name !== 'count'),
      limit: Number(count),
      base: base() + fhirPath,
      signal: request.signal,
    });
  });
  return [{ method: 'GET', path: '/app/facets/:type/:name', audit: 'search', handler: handle }];
}
