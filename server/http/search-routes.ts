import { parsePrefer, preferenceApplied } from '../../core/api/negotiation.ts';
import { parseQuery } from '../../core/api/query.ts';
import type { BundleStream, SearchOptions, SearchService } from '../fhir/search.ts';
import { respondBytes, respondStream } from './reply.ts';
import { type ApiRequest, type ApiResponse } from './request.ts';

/** Creates the handlers of searches and histories. */
export function createSearchHandlers(searches: SearchService, base: () => string) {
  const createHandler =
    (run: (request: ApiRequest, options: SearchOptions) => Promise<Buffer | BundleStream>) =>
    async (request: ApiRequest): Promise<ApiResponse> => {
      const { handling } = parsePrefer(request.header('Prefer'));
      const result = await run(request, {
        lenient: handling === 'lenient',
        base: base(),
        signal: request.signal,
      });
      const headers = preferenceApplied(handling ? { handling } : {});
      return Buffer.isBuffer(result) ? respondBytes(result, headers) : respondStream(result, headers);
    };
  return {
    search: createHandler((request, options) => searches.search(request.type, request.query, options)),
    // The address may also contain parameters (FHIR R4 http.html#search).
    'search-post': createHandler((request, options) =>
      searches.search(request.type, [...request.query, ...parseQuery(request.readText())], options),
    ),
    'history-type': createHandler((request, options) =>
      searches.history(request.type, undefined, request.query, options),
    ),
    'history-instance': createHandler((request, options) =>
      searches.history(request.type, request.id, request.query, options),
    ),
  };
}
