import { RepairRequest } from '../../core/app/damage.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Damage } from '../damage/damage.ts';
import type { Repair } from '../damage/repair.ts';
import { getActor } from './access.ts';
import { bodyOf } from './body.ts';
import { json, sendBytes, versionHeaders } from './reply.ts';
import { idOf, typeOf, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('repair', {
  invalidBackup: 'Name the backup to restore the text from: {example}.',
});

/** `/app/damage`: damaged texts, and the scrub that finds them. */
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

/** `/app/damage/{type}/{id}/mend`: replaces a damaged text with that of a backup. */
export function createRepairRoutes(repair: Repair): readonly TableRoute[] {
  const repairRecord: Handler = async (request, response) => {
    const repairRequest = bodyOf(
      request,
      'Mend',
      RepairRequest,
      messages.invalidBackup({ example: '{"backup": "…"}' }),
    );
    const actor = getActor(response);
    const version = await repair.mend(typeOf(request), idOf(request), repairRequest.backup, actor);
    sendBytes(response, 200, Buffer.from(version.text), versionHeaders(version));
  };
  return [
    { method: 'POST', path: '/app/damage/:type/:id/mend', audit: 'update', body: true, answer: repairRecord },
  ];
}
