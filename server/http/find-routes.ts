import { findLimits } from '../../core/app/find.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Finder } from '../find/finder.ts';
import { respondText } from './reply.ts';
import { type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('find', {
  invalid:
    'Invalid search: q can have at most {characters} characters, and limit must be a number from 1 to {most}.',
});

/** `GET /app/find`: finds records and patients by the typed text (core/app/find.ts). */
export function createFindRoutes(finder: Pick<Finder, 'search'>): readonly TableRoute[] {
  const handle: Handler = async (request) => {
    const parameters = new Map(request.query);
    const text = parameters.get('q') ?? '';
    const limit = Number(parameters.get('limit') ?? findLimits.usual);
    if (text.length > findLimits.characters || !(Number.isInteger(limit) && limit >= 1)) {
      const { characters, most: maxMatches } = findLimits;
      throw new FhirError('value', messages.invalid({ characters, most: maxMatches }));
    }
    const { signal } = request;
    try {
      const matches = await finder.search({ text, limit: Math.min(limit, findLimits.most) }, signal);
      return respondText(JSON.stringify(matches));
    } catch (error) {
      // The client has disconnected.
      if (!signal.aborted) throw error;
      return respondText('[]');
    }
  };
  return [{ method: 'GET', path: '/app/find', audit: 'search', handler: handle }];
}
