import { MendRequest } from '../../core/app/damage.ts';
import type { Damage } from '../damage/damage.ts';
import type { Mending } from '../damage/mending.ts';
import { doerOf } from './access.ts';
import { bodyOf } from './body.ts';
import { json, sendBytes, versionHeaders } from './reply.ts';
import { idOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** `/app/damage`: stored texts that fail their checksums, and the scrub that looks for them. */
export function damageRoutes(damage: Damage): readonly TableRoute[] {
  const scrub = json(async () => {
    damage.scrub();
    return (await damage.state()).scrub;
  }, 202);
  return [
    { method: 'GET', path: '/app/damage', answer: json(() => damage.list()) },
    { method: 'POST', path: '/app/damage/scrub', answer: scrub },
  ];
}

/** `/app/damage/{type}/{id}/mend`: a backup's text in the place of a damaged one. */
export function mendRoutes(mending: Mending): readonly TableRoute[] {
  const mend: Answer = async (request, response) => {
    const sent = bodyOf(request, 'Mend', MendRequest, {
      text: 'Name the backup that the text is taken from: {"backup": "…"}.',
    });
    const doer = doerOf(response);
    const version = await mending.mend(typeOf(request), idOf(request), sent.backup, doer);
    sendBytes(response, 200, Buffer.from(version.text), versionHeaders(version));
  };
  return [{ method: 'POST', path: '/app/damage/:type/:id/mend', audit: 'update', body: true, answer: mend }];
}
