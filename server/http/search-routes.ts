import type { Request, Response } from 'express';
import { parsePrefer, preferenceApplied } from '../../core/api/prefer.ts';
import { parseQuery } from '../../core/api/query.ts';
import type { BundleStream, SearchOptions, SearchService } from '../fhir/search.ts';
import { beginStream, sendBytes } from './reply.ts';
import { bodyText, idOf, pairsOf, typeOf, goneSignal } from './request.ts';

/** The handlers of searches and histories, by the operations of the contract's table. */
export function searchAnswers(searches: SearchService, base: () => string) {
  const answer =
    (run: (request: Request, options: SearchOptions) => Promise<Buffer | BundleStream>) =>
    async (request: Request, response: Response): Promise<void> => {
      const { handling } = parsePrefer(request.header('Prefer'));
      const found = await run(request, {
        ...{ lenient: handling === 'lenient', base: base() },
        signal: goneSignal(response),
      });
      const headers = preferenceApplied(handling ? { handling } : {});
      if (Buffer.isBuffer(found)) sendBytes(response, 200, found, headers);
      else beginStream(response, 200, found, headers);
    };
  return {
    search: answer((request, options) => searches.search(typeOf(request), pairsOf(request), options)),
    // FHIR R4 http.html#search: the address may hold parameters as well.
    'search-post': answer((request, options) =>
      searches.search(typeOf(request), [...pairsOf(request), ...parseQuery(bodyText(request))], options),
    ),
    'history-type': answer((request, options) =>
      searches.history(typeOf(request), undefined, pairsOf(request), options),
    ),
    'history-instance': answer((request, options) =>
      searches.history(typeOf(request), idOf(request), pairsOf(request), options),
    ),
  };
}
