import { RemoteJudging } from '../../core/app/remote-quality.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { RemoteValidation } from '../remote/remote-validation.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { parseBodyAs } from './body.ts';
import { parseFilter, createFindingHandlers } from './quality-routes.ts';
import { createJsonHandler } from './reply.ts';
import { type ApiRequest } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection } from './server-of.ts';

const messages = defineMessages('remoteQuality', {
  invalidStart: 'Send {resume} to resume, or {restart} to read all records again.',
});

interface RemoteQualityDependencies {
  readonly remote: RemoteValidation;
  readonly connections: Pick<ConnectionStore, 'find'>;
}

/** `/app/connections/{id}/quality`: the worklist of a remote server (core/app/remote-quality.ts). */
export function createRemoteQualityRoutes({
  remote,
  connections,
}: RemoteQualityDependencies): readonly TableRoute[] {
  const find = (request: ApiRequest) => findConnection(connections, request.id);
  const overview = createJsonHandler(async (request) =>
    remote.quality(await find(request), parseFilter(request.query)),
  );
  const start = createJsonHandler(async (request) => {
    const connection = await find(request);
    const startRequest = parseBodyAs(
      request,
      'Judging',
      RemoteJudging,
      messages.invalidStart({ resume: '{}', restart: '{"from":"start"}' }),
    );
    return remote.start(connection, startRequest.from);
  }, 202);
  const stop = createJsonHandler(async (request) => remote.stop(await find(request)));
  const { findings, csv } = createFindingHandlers(async (request) => remote.worklist(await find(request)));
  return [
    { method: 'GET', path: '/app/connections/:id/quality', handler: overview },
    { method: 'GET', path: '/app/connections/:id/quality/findings', handler: findings },
    { method: 'GET', path: '/app/connections/:id/quality.csv', handler: csv },
    { method: 'POST', path: '/app/connections/:id/quality/judge', body: true, handler: start },
    { method: 'POST', path: '/app/connections/:id/quality/stop', handler: stop },
  ];
}
