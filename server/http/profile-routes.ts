import { profileSlot } from '../../core/app/profiles.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType, typeList } from '../../core/fhir/resource.ts';
import type { Checks } from '../judge/checks.ts';
import { sendJson } from './reply.ts';
import { pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/profiles`: how far records are judged by profiles, and of which something cannot be decided (core/app/profiles.ts). */
export function profileRoutes(checks: Pick<Checks, 'profiles' | 'undecided'>): readonly TableRoute[] {
  const progress: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await checks.profiles()));
  };
  const undecided: Answer = async (request, response) => {
    const [[name, type] = ['', ''], ...others] = pairsOf(request);
    if (name !== 'type' || !isResourceType(type) || others.length > 0) {
      throw new FhirError('value', { text: `Send one type: ${typeList}.`, location: 'http.type' });
    }
    sendJson(response, 200, JSON.stringify({ type, ids: await checks.undecided(profileSlot(type)) }));
  };
  return [
    { method: 'GET', path: '/app/profiles/progress', answer: progress },
    { method: 'GET', path: '/app/profiles/undecided', audit: 'search', answer: undecided },
  ];
}
