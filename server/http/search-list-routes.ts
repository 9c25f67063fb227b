import { SearchName, searchLimits, SearchQuery, type SavedSearch } from '../../core/app/searches.ts';
import { FhirError, type FhirErrorCode, type Problem } from '../../core/fhir/outcome.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { SavedSearchRejectionCode, SearchStore } from '../workspace/searches.ts';
import { parseBodyAs, parseJsonBody } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

const messages = defineMessages('searchList', {
  absent: 'There is no saved search with this ID.',
  invalidRecent: 'A recent search needs a type and name–value pairs.',
  invalidSaved: 'A saved search needs a type and name–value pairs.',
  invalidName: 'A name must have 1 to {characters} characters, without spaces at either end.',
  nameTaken: 'Another saved search already has this name.',
  full: 'There are already {searches} saved searches. Delete one first.',
});

/** `/app/recents` and `/app/searches`: recent and saved searches (core/app/searches.ts). */
export function createSearchListRoutes(searches: SearchStore, serverOf: ServerOf): readonly TableRoute[] {
  const recents = createJsonHandler(async (request) => searches.recents(await serverOf(request)));
  const addRecent = createJsonHandler(async (request) => {
    const search = parseBodyAs(request, 'RecentSearch', SearchQuery, messages.invalidRecent());
    await searches.noteRecent(await serverOf(request), search);
    return searches.recents(await serverOf(request));
  });
  const clearRecents = createJsonHandler(async (request) => {
    await searches.forgetRecents(await serverOf(request));
    return searches.recents(await serverOf(request));
  });
  const listSaved = createJsonHandler(async (request) => searches.saved(await serverOf(request)));
  const save = createJsonHandler(async (request) => {
    const body = parseJsonBody(request, 'SavedSearch');
    const name = readName(body);
    if (!matchesSchema(SearchQuery, body)) {
      throw new FhirError('value', messages.invalidSaved());
    }
    return assertAccepted(await searches.save(await serverOf(request), name, body));
  }, 201);
  const rename = createJsonHandler(async (request) => {
    const name = readName(parseJsonBody(request, 'SavedSearch'));
    return assertAccepted(await searches.rename(await serverOf(request), parseId(request.id), name));
  });
  const remove = createJsonHandler(async (request) => {
    const isRemoved = await searches.remove(await serverOf(request), parseId(request.id));
    if (!isRemoved) throw createRejection('unknown');
    return searches.saved(await serverOf(request));
  });
  return [
    { method: 'GET', path: '/app/recents', handler: recents },
    { method: 'POST', path: '/app/recents', body: true, handler: addRecent },
    { method: 'DELETE', path: '/app/recents', handler: clearRecents },
    { method: 'GET', path: '/app/searches', handler: listSaved },
    { method: 'POST', path: '/app/searches', body: true, handler: save },
    { method: 'PUT', path: '/app/searches/:id', body: true, handler: rename },
    { method: 'DELETE', path: '/app/searches/:id', handler: remove },
  ];
}

function readName(body: unknown): string {
  if (matchesSchema(SearchName, body)) return body.name;
  throw new FhirError('value', {
    ...messages.invalidName({ characters: searchLimits.name }),
    expression: 'name',
  });
}

function parseId(id: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(id)) return Number(id);
  throw createRejection('unknown');
}

function assertAccepted(result: SavedSearch | SavedSearchRejectionCode): SavedSearch {
  if (typeof result === 'string') throw createRejection(result);
  return result;
}

function createRejection(code: SavedSearchRejectionCode): FhirError {
  return new FhirError(...rejections[code]);
}

const rejections: Readonly<Record<SavedSearchRejectionCode, readonly [FhirErrorCode, Problem]>> = {
  'name-taken': ['exists', { ...messages.nameTaken(), expression: 'name' }],
  full: ['business-rule', messages.full({ searches: searchLimits.saved })],
  unknown: ['not-found', messages.absent()],
};
