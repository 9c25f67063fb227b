import { findLimits } from '../../core/app/find.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Finder } from '../find/finder.ts';
import { sendJson } from './reply.ts';
import { pairsOf, createDisconnectSignal, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('find', {
  invalid:
    'Invalid search: q can have at most {characters} characters, and limit must be a number from 1 to {most}.',
});

/** `GET /app/find`: records and patients by what is typed (core/app/find.ts). */
export function findRoutes(finder: Pick<Finder, 'ask'>): readonly TableRoute[] {
  const answer: Handler = async (request, response) => {
    const given = new Map(pairsOf(request));
    const text = given.get('q') ?? '';
    const limit = Number(given.get('limit') ?? findLimits.usual);
    if (text.length > findLimits.characters || !(Number.isInteger(limit) && limit >= 1)) {
      const { characters, most } = findLimits;
      throw new FhirError('value', messages.invalid({ characters, most }));
    }
    const gone = createDisconnectSignal(response);
    try {
      const found = await finder.ask({ text, limit: Math.min(limit, findLimits.most) }, gone);
      sendJson(response, 200, JSON.stringify(found));
    } catch (error) {
      // Whoever asked is gone.
      if (!gone.aborted) throw error;
    }
  };
  return [{ method: 'GET', path: '/app/find', audit: 'search', answer }];
}
