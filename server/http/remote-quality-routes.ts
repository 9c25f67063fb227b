import type { Request } from 'express';
import { RemoteJudging } from '../../core/app/remote-quality.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { RemoteValidation } from '../remote/remote-validation.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { bodyOf } from './body.ts';
import { filterOf, findingAnswers } from './quality-routes.ts';
import { json } from './reply.ts';
import { idOf, pairsOf } from './request.ts';
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
export function remoteQualityRoutes({
  remote,
  connections,
}: RemoteQualityDependencies): readonly TableRoute[] {
  const find = (request: Request) => findConnection(connections, idOf(request));
  const overview = json(async (request) => remote.quality(await find(request), filterOf(pairsOf(request))));
  const start = json(async (request) => {
    const connection = await find(request);
    const startRequest = bodyOf(
      request,
      'Judging',
      RemoteJudging,
      messages.invalidStart({ resume: '{}', restart: '{"from":"start"}' }),
    );
    return remote.start(connection, startRequest.from);
  }, 202);
  const stop = json(async (request) => remote.stop(await find(request)));
  const { findings, csv } = findingAnswers(async (request) => remote.worklist(await find(request)));
  return [
    { method: 'GET', path: '/app/connections/:id/quality', answer: overview },
    { method: 'GET', path: '/app/connections/:id/quality/findings', answer: findings },
    { method: 'GET', path: '/app/connections/:id/quality.csv', answer: csv },
    { method: 'POST', path: '/app/connections/:id/quality/judge', body: true, answer: start },
    { method: 'POST', path: '/app/connections/:id/quality/stop', answer: stop },
  ];
}
