import type { Request } from 'express';
import { etagOf } from '../../core/api/precondition.ts';
import type { PlacedTarget } from '../../core/app/bulk.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { RecordService } from '../fhir/service.ts';
import { localServer } from '../workspace/server-key.ts';
import { authorshipBy } from './authorship.ts';
import { requestIdOf } from './head.ts';
import { sendBytes, versionHeaders } from './reply.ts';
import { idOf, found, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * One step of an undo on this server: the version that a run replaced, in its place again (docs/decisions/0042). The
 * version that the run wrote must still stand. The text does not leave the server.
 */
export function putBackRoutes(
  { bulk: runs, demandsReason }: Pick<Workspace, 'bulk' | 'demandsReason'>,
  service: Pick<RecordService, 'putBack'>,
): readonly TableRoute[] {
  const authorshipOf = authorshipBy(demandsReason);
  async function targetOf(request: Request): Promise<PlacedTarget> {
    const run = idOf(request);
    found(await runs.isUndo(localServer, run), 'No undo of a run on this server has this id.');
    const { place } = request.params;
    const target = /^[0-9]{1,9}$/.test(String(place)) ? await runs.target(run, Number(place)) : undefined;
    return found(target, 'This undo has no record at this place.');
  }
  const putBack: Answer = async (request, response) => {
    const { type, id, version: written, before } = await targetOf(request);
    response.locals.audited = `${type}/${id}`;
    if (written === undefined || before?.version === undefined) {
      throw new FhirError('business-rule', { text: 'It is not known which version stood before the run.' });
    }
    const { version, stored } = await service.putBack({
      ...{ type, id, version: before.version, ifMatch: etagOf(written) },
      ...authorshipOf(request, response),
      requestId: requestIdOf(response),
    });
    if (stored) response.locals.hasEntry = true;
    sendBytes(response, 200, Buffer.from('{}'), versionHeaders(version));
  };
  return [
    { method: 'POST', path: '/app/bulk/:id/targets/:place/put-back', audit: 'update', answer: putBack },
  ];
}
