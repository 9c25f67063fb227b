import { etagOf } from '../../core/api/precondition.ts';
import type { PlacedTarget } from '../../core/app/bulk.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { RecordService } from '../fhir/service.ts';
import { localServer } from '../workspace/server-key.ts';
import { createAuthorshipReader } from './write-routes.ts';
import { respondBytes, versionHeaders } from './reply.ts';
import { type ApiRequest, assertFound, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { Workspace } from '../workspace/workspace.ts';

const messages = defineMessages('undo', {
  absent: 'There is no undo with this ID on this server.',
  recordAbsent: 'This undo has no such record.',
  versionUnknown: 'The version before the run is unknown.',
});

/**
 * Returns the route that reverts one record to the version before a run (docs/decisions/0042).
 *
 * The version of the run must still be the current version. The text does not leave the server.
 */
export function createRevertRoutes(
  { bulk: runs, demandsReason }: Pick<Workspace, 'bulk' | 'demandsReason'>,
  service: Pick<RecordService, 'revert'>,
): readonly TableRoute[] {
  const authorshipOf = createAuthorshipReader(demandsReason);
  async function findTarget(request: ApiRequest): Promise<PlacedTarget> {
    const run = request.id;
    assertFound(await runs.isUndo(localServer, run), messages.absent());
    const { place } = request.params;
    const target = /^[0-9]{1,9}$/.test(String(place)) ? await runs.target(run, Number(place)) : undefined;
    return assertFound(target, messages.recordAbsent());
  }
  const revert: Handler = async (request) => {
    const { type, id, version: versionOfRun, before } = await findTarget(request);
    request.notes.audited = `${type}/${id}`;
    if (versionOfRun === undefined || before?.version === undefined) {
      throw new FhirError('business-rule', messages.versionUnknown());
    }
    const { version, isNewVersion } = await service.revert({
      type,
      id,
      version: before.version,
      ifMatch: etagOf(versionOfRun),
      ...authorshipOf(request),
      requestId: request.requestId,
    });
    if (isNewVersion) request.notes.isAudited = true;
    return respondBytes(Buffer.from('{}'), versionHeaders(version));
  };
  return [
    { method: 'POST', path: '/app/bulk/:id/targets/:place/put-back', audit: 'update', handler: revert },
  ];
}
