import type { Request, Response } from 'express';
import { parsePrefer, preferenceApplied } from '../../core/api/prefer.ts';
import { parseQuery } from '../../core/api/query.ts';
import type { BundleStream, SearchOptions, SearchService } from '../fhir/search.ts';
import { startStream, sendBytes } from './reply.ts';
import {
  readBodyText,
  getRecordId,
  getQueryPairs,
  getResourceType,
  createDisconnectSignal,
} from './request.ts';

/** Creates the handlers of searches and histories. */
export function createSearchHandlers(searches: SearchService, base: () => string) {
  const createHandler =
    (run: (request: Request, options: SearchOptions) => Promise<Buffer | BundleStream>) =>
    async (request: Request, response: Response): Promise<void> => {
      const { handling } = parsePrefer(request.header('Prefer'));
      const result = await run(request, {
        lenient: handling === 'lenient',
        base: base(),
        signal: createDisconnectSignal(response),
      });
      const headers = preferenceApplied(handling ? { handling } : {});
      if (Buffer.isBuffer(result)) sendBytes(response, 200, result, headers);
      else startStream(response, 200, result, headers);
    };
  return {
    search: createHandler((request, options) =>
      searches.search(getResourceType(request), getQueryPairs(request), options),
    ),
    // The address may also contain parameters (FHIR R4 http.html#search).
    'search-post': createHandler((request, options) =>
      searches.search(
        getResourceType(request),
        [...getQueryPairs(request), ...parseQuery(readBodyText(request))],
        options,
      ),
    ),
    'history-type': createHandler((request, options) =>
      searches.history(getResourceType(request), undefined, getQueryPairs(request), options),
    ),
    'history-instance': createHandler((request, options) =>
      searches.history(getResourceType(request), getRecordId(request), getQueryPairs(request), options),
    ),
  };
}
