import type { Request } from 'express';
import { RemoteJudging } from '../../core/app/remote-quality.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { bodyOf } from './body.ts';
import { filterOf, findingAnswers } from './quality-routes.ts';
import { json } from './reply.ts';
import { idOf, pairsOf } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { findConnection } from './server-of.ts';

interface RemoteQualityParts {
  readonly remote: RemoteJudge;
  readonly connections: Pick<ConnectionStore, 'find'>;
}

/** `/app/connections/{id}/quality`: the worklist of another server's records (core/app/remote-quality.ts). */
export function remoteQualityRoutes({ remote, connections }: RemoteQualityParts): readonly TableRoute[] {
  const find = (request: Request) => findConnection(connections, idOf(request));
  const overview = json(async (request) => remote.quality(await find(request), filterOf(pairsOf(request))));
  const judge = json(async (request) => {
    const connection = await find(request);
    const asked = bodyOf(request, 'Judging', RemoteJudging, {
      text: 'Send {} to go on, or {"from":"start"} to read all records anew.',
    });
    return remote.start(connection, asked.from);
  }, 202);
  const stop = json(async (request) => remote.stop(await find(request)));
  const { findings, csv } = findingAnswers(async (request) => remote.worklist(await find(request)));
  return [
    { method: 'GET', path: '/app/connections/:id/quality', answer: overview },
    { method: 'GET', path: '/app/connections/:id/quality/findings', answer: findings },
    { method: 'GET', path: '/app/connections/:id/quality.csv', answer: csv },
    { method: 'POST', path: '/app/connections/:id/quality/judge', body: true, answer: judge },
    { method: 'POST', path: '/app/connections/:id/quality/stop', answer: stop },
  ];
}
