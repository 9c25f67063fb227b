import type { LossList } from '../../core/app/losses.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { KeptTrail } from '../workspace/kept-trail.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/losses`: acknowledged writes that a start found missing (core/app/losses.ts), until somebody read of them. */
export function lossRoutes(kept: KeptTrail): readonly TableRoute[] {
  const list = json(() => ({ losses: kept.losses() }) satisfies LossList);
  const read = json((request) => {
    if (!kept.readLoss(Number(request.params.id))) {
      throw new FhirError('not-found', { text: 'There is no loss of this id.' });
    }
  });
  return [
    { method: 'GET', path: '/app/losses', answer: list },
    { method: 'POST', path: '/app/losses/:id/read', answer: read },
  ];
}
