import { RepairRequest } from '../../core/app/damage.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Damage } from '../damage/damage.ts';
import type { Repair } from '../damage/repair.ts';
import { parseBodyAs } from './body.ts';
import { createJsonHandler, respondBytes, versionHeaders } from './reply.ts';
import { type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('repair', {
  invalidBackup: 'Name the backup to restore the text from: {example}.',
});

/** `/app/damage`: damaged texts, and the scrub that finds them. */
export function createDamageRoutes(damage: Damage): readonly TableRoute[] {
  const scrub = createJsonHandler(async () => {
    damage.scrub();
    return (await damage.state()).scrub;
  }, 202);
  return [
    { method: 'GET', path: '/app/damage', handler: createJsonHandler(() => damage.list()) },
    { method: 'POST', path: '/app/damage/scrub', handler: scrub },
  ];
}

/** `/app/damage/{type}/{id}/mend`: replaces a damaged text with the text of a backup. */
export function createRepairRoutes(repair: Repair): readonly TableRoute[] {
  const repairRecord: Handler = async (request) => {
    const repairRequest = parseBodyAs(
      request,
      'Mend',
      RepairRequest,
      messages.invalidBackup({ example: '{"backup": "…"}' }),
    );
    const { actor } = request;
    const version = await repair.mend(request.type, request.id, repairRequest.backup, actor);
    return respondBytes(Buffer.from(version.text), versionHeaders(version));
  };
  return [
    {
      method: 'POST',
      path: '/app/damage/:type/:id/mend',
      audit: 'update',
      body: true,
      handler: repairRecord,
    },
  ];
}
