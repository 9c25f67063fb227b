import { SearchName, searchLimits, SearchQuery, type SavedSearch } from '../../core/app/searches.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { SavedRefusal, SearchStore } from '../workspace/searches.ts';
import { jsonBody } from './body.ts';
import { sendJson } from './reply.ts';
import { idOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** `/app/recents` and `/app/searches`: what was looked for (core/app/searches.ts). */
export function searchListRoutes(
  searches: SearchStore,
  serverOf: ServerOf,
  readBody: Answer,
): readonly TableRoute[] {
  const recents: Answer = async (request, response) => {
    sendJson(response, 200, JSON.stringify(await searches.recents(await serverOf(request))));
  };
  const note: Answer = async (request, response) => {
    const search = jsonBody(request, 'RecentSearch');
    if (!is(SearchQuery, search)) {
      throw new FhirError('value', { text: 'A recent search has a type and pairs of name and value.' });
    }
    await searches.noteRecent(await serverOf(request), search);
    sendJson(response, 200, JSON.stringify(await searches.recents(await serverOf(request))));
  };
  const forget: Answer = async (request, response) => {
    await searches.forgetRecents(await serverOf(request));
    sendJson(response, 200, JSON.stringify(await searches.recents(await serverOf(request))));
  };
  const saved: Answer = async (request, response) => {
    sendJson(response, 200, JSON.stringify(await searches.saved(await serverOf(request))));
  };
  const save: Answer = async (request, response) => {
    const body = jsonBody(request, 'SavedSearch');
    const name = nameOf(body);
    if (!is(SearchQuery, body)) {
      throw new FhirError('value', { text: 'A saved search has a type and pairs of name and value.' });
    }
    const stored = await searches.save(await serverOf(request), name, body);
    sendJson(response, 201, JSON.stringify(accepted(stored)));
  };
  const rename: Answer = async (request, response) => {
    const name = nameOf(jsonBody(request, 'SavedSearch'));
    const renamed = await searches.rename(await serverOf(request), numberOf(idOf(request)), name);
    sendJson(response, 200, JSON.stringify(accepted(renamed)));
  };
  const remove: Answer = async (request, response) => {
    const removed = await searches.remove(await serverOf(request), numberOf(idOf(request)));
    if (!removed) throw unknownSearch();
    sendJson(response, 200, JSON.stringify(await searches.saved(await serverOf(request))));
  };
  return [
    { method: 'GET', path: '/app/recents', answer: recents },
    { method: 'POST', path: '/app/recents', readBody, answer: note },
    { method: 'DELETE', path: '/app/recents', answer: forget },
    { method: 'GET', path: '/app/searches', answer: saved },
    { method: 'POST', path: '/app/searches', readBody, answer: save },
    { method: 'PUT', path: '/app/searches/:id', readBody, answer: rename },
    { method: 'DELETE', path: '/app/searches/:id', answer: remove },
  ];
}

function nameOf(body: unknown): string {
  if (is(SearchName, body)) return body.name;
  throw new FhirError('value', {
    text: `A name is 1 to ${searchLimits.name} characters, without spaces at its ends.`,
    expression: 'name',
  });
}

function numberOf(id: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(id)) return Number(id);
  throw unknownSearch();
}

function accepted(result: SavedSearch | SavedRefusal): SavedSearch {
  switch (result) {
    case 'name-taken':
      throw new FhirError('exists', {
        text: 'Another saved search has this name; choose another.',
        expression: 'name',
      });
    case 'full':
      throw new FhirError('business-rule', {
        text: `${searchLimits.saved} searches are saved; remove one before saving another.`,
      });
    case 'unknown':
      throw unknownSearch();
    default:
      return result;
  }
}

function unknownSearch(): FhirError {
  return new FhirError('not-found', { text: 'No saved search has this id.' });
}
