import type { Request, Response } from 'express';
import { parsePrefer, preferenceApplied } from '../../core/api/prefer.ts';
import { parseQuery } from '../../core/api/query.ts';
import type { SearchOptions, SearchService } from '../fhir/search.ts';
import { sendBytes } from './reply.ts';
import { bodyText, idOf, pairsOf, typeOf } from './request.ts';

type Answer = (request: Request, response: Response) => Promise<void>;

export type SearchAnswers = Readonly<
  Record<'search' | 'search-post' | 'history-type' | 'history-instance', Answer>
>;

/** The handlers of searches and histories, by the operations of the contract's table. */
export function searchAnswers(searches: SearchService, base: () => string): SearchAnswers {
  const answer =
    (run: (request: Request, options: SearchOptions) => Promise<Buffer>): Answer =>
    async (request, response) => {
      const { handling } = parsePrefer(request.header('Prefer'));
      const bytes = await run(request, { lenient: handling === 'lenient', base: base() });
      sendBytes(response, 200, bytes, preferenceApplied(handling ? { handling } : {}));
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
