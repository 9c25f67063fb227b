import { MendRequest } from '../../core/app/damage.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { Damage } from '../damage/damage.ts';
import type { Mending } from '../damage/mending.ts';
import { doerOf } from './access.ts';
import { jsonBody } from './body.ts';
import { sendJson, sendVersion } from './reply.ts';
import { idOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/damage`: stored texts that fail their checksums, and the scrub that looks for them. */
export function damageRoutes(damage: Damage): readonly TableRoute[] {
  const list: Answer = async (_request, response) => {
    sendJson(response, 200, JSON.stringify(await damage.list()));
  };
  const scrub: Answer = async (_request, response) => {
    damage.scrub();
    sendJson(response, 202, JSON.stringify((await damage.state()).scrub));
  };
  return [
    { method: 'GET', path: '/app/damage', answer: list },
    { method: 'POST', path: '/app/damage/scrub', answer: scrub },
  ];
}

/** `/app/damage/{type}/{id}/mend`: a backup's text in the place of a damaged one. */
export function mendRoutes(mending: Mending, readBody: Answer): readonly TableRoute[] {
  const mend: Answer = async (request, response) => {
    const sent = jsonBody(request, 'Mend');
    if (!is(MendRequest, sent)) {
      throw new FhirError('value', { text: 'Name the backup that the text is taken from: {"backup": "…"}.' });
    }
    const doer = doerOf(response);
    const version = await mending.mend(typeOf(request), idOf(request), sent.backup, doer);
    sendVersion(response, 200, version);
  };
  return [{ method: 'POST', path: '/app/damage/:type/:id/mend', audit: 'update', readBody, answer: mend }];
}
