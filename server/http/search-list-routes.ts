import { SearchName, searchLimits, SearchQuery, type SavedSearch } from '../../core/app/searches.ts';
import { FhirError, type FhirErrorCode, type Problem } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { SavedSearchRejectionCode, SearchStore } from '../workspace/searches.ts';
import { bodyOf, jsonBody } from './body.ts';
import { json } from './reply.ts';
import { idOf } from './request.ts';
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
export function searchListRoutes(searches: SearchStore, serverOf: ServerOf): readonly TableRoute[] {
  const recents = json(async (request) => searches.recents(await serverOf(request)));
  const addRecent = json(async (request) => {
    const search = bodyOf(request, 'RecentSearch', SearchQuery, messages.invalidRecent());
    await searches.noteRecent(await serverOf(request), search);
    return searches.recents(await serverOf(request));
  });
  const clearRecents = json(async (request) => {
    await searches.forgetRecents(await serverOf(request));
    return searches.recents(await serverOf(request));
  });
  const listSaved = json(async (request) => searches.saved(await serverOf(request)));
  const save = json(async (request) => {
    const body = jsonBody(request, 'SavedSearch');
    const name = readName(body);
    if (!is(SearchQuery, body)) {
      throw new FhirError('value', messages.invalidSaved());
    }
    return assertAccepted(await searches.save(await serverOf(request), name, body));
  }, 201);
  const rename = json(async (request) => {
    const name = readName(jsonBody(request, 'SavedSearch'));
    return assertAccepted(await searches.rename(await serverOf(request), parseId(idOf(request)), name));
  });
  const remove = json(async (request) => {
    const isRemoved = await searches.remove(await serverOf(request), parseId(idOf(request)));
    if (!isRemoved) throw createRejection('unknown');
    return searches.saved(await serverOf(request));
  });
  return [
    { method: 'GET', path: '/app/recents', answer: recents },
    { method: 'POST', path: '/app/recents', body: true, answer: addRecent },
    { method: 'DELETE', path: '/app/recents', answer: clearRecents },
    { method: 'GET', path: '/app/searches', answer: listSaved },
    { method: 'POST', path: '/app/searches', body: true, answer: save },
    { method: 'PUT', path: '/app/searches/:id', body: true, answer: rename },
    { method: 'DELETE', path: '/app/searches/:id', answer: remove },
  ];
}

function readName(body: unknown): string {
  if (is(SearchName, body)) return body.name;
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
