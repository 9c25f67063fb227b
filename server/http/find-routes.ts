import { findLimits } from '../../core/app/find.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { Finder } from '../find/finder.ts';
import { sendJson } from './reply.ts';
import { pairsOf, goneSignal, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `GET /app/find`: records and patients by what is typed (core/app/find.ts). */
export function findRoutes(finder: Pick<Finder, 'ask'>): readonly TableRoute[] {
  const answer: Answer = async (request, response) => {
    const given = new Map(pairsOf(request));
    const text = given.get('q') ?? '';
    const limit = Number(given.get('limit') ?? findLimits.usual);
    if (text.length > findLimits.characters || !(Number.isInteger(limit) && limit >= 1)) {
      const most = `q has at most ${findLimits.characters} characters, limit is a number from 1 to ${findLimits.most}`;
      throw new FhirError('value', { text: `This cannot be looked for: ${most}.` });
    }
    const gone = goneSignal(response);
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
