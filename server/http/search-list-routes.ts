import { SearchName, searchLimits, SearchQuery, type SavedSearch } from '../../core/app/searches.ts';
import { FhirError, type FaultKind, type Problem } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { SavedRefusal, SearchStore } from '../workspace/searches.ts';
import { bodyOf, jsonBody } from './body.ts';
import { json } from './reply.ts';
import { idOf } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { ServerOf } from './server-of.ts';

/** `/app/recents` and `/app/searches`: what was looked for (core/app/searches.ts). */
export function searchListRoutes(searches: SearchStore, serverOf: ServerOf): readonly TableRoute[] {
  const recents = json(async (request) => searches.recents(await serverOf(request)));
  const note = json(async (request) => {
    const search = bodyOf(request, 'RecentSearch', SearchQuery, {
      text: 'A recent search has a type and pairs of name and value.',
    });
    await searches.noteRecent(await serverOf(request), search);
    return searches.recents(await serverOf(request));
  });
  const forget = json(async (request) => {
    await searches.forgetRecents(await serverOf(request));
    return searches.recents(await serverOf(request));
  });
  const saved = json(async (request) => searches.saved(await serverOf(request)));
  const save = json(async (request) => {
    const body = jsonBody(request, 'SavedSearch');
    const name = nameOf(body);
    if (!is(SearchQuery, body)) {
      throw new FhirError('value', { text: 'A saved search has a type and pairs of name and value.' });
    }
    return accepted(await searches.save(await serverOf(request), name, body));
  }, 201);
  const rename = json(async (request) => {
    const name = nameOf(jsonBody(request, 'SavedSearch'));
    return accepted(await searches.rename(await serverOf(request), numberOf(idOf(request)), name));
  });
  const remove = json(async (request) => {
    const removed = await searches.remove(await serverOf(request), numberOf(idOf(request)));
    if (!removed) throw refused('unknown');
    return searches.saved(await serverOf(request));
  });
  return [
    { method: 'GET', path: '/app/recents', answer: recents },
    { method: 'POST', path: '/app/recents', body: true, answer: note },
    { method: 'DELETE', path: '/app/recents', answer: forget },
    { method: 'GET', path: '/app/searches', answer: saved },
    { method: 'POST', path: '/app/searches', body: true, answer: save },
    { method: 'PUT', path: '/app/searches/:id', body: true, answer: rename },
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
  throw refused('unknown');
}

function accepted(result: SavedSearch | SavedRefusal): SavedSearch {
  if (typeof result === 'string') throw refused(result);
  return result;
}

function refused(refusal: SavedRefusal): FhirError {
  return new FhirError(...refusals[refusal]);
}

const refusals: Readonly<Record<SavedRefusal, readonly [FaultKind, Problem]>> = {
  'name-taken': [
    'exists',
    { text: 'Another saved search has this name; choose another.', expression: 'name' },
  ],
  full: [
    'business-rule',
    { text: `${searchLimits.saved} searches are saved; remove one before saving another.` },
  ],
  unknown: ['not-found', { text: 'No saved search has this id.' }],
};
