import type { Request } from 'express';
import { RemoteJudging } from '../../core/app/remote-quality.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { is } from '../../core/json/shape.ts';
import type { RemoteJudge } from '../remote/remote-judge.ts';
import type { ConnectionStore } from '../workspace/connections.ts';
import { jsonBody } from './body.ts';
import { findConnection } from './find-connection.ts';
import { filterOf, findingAnswers } from './quality-routes.ts';
import { sendJson } from './reply.ts';
import { idOf, pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

interface RemoteQualityParts {
  readonly remote: RemoteJudge;
  readonly connections: Pick<ConnectionStore, 'find'>;
  readonly readBody: Answer;
}

/** `/app/connections/{id}/quality`: the worklist of another server's records (core/app/remote-quality.ts). */
export function remoteQualityRoutes({
  remote,
  connections,
  readBody,
}: RemoteQualityParts): readonly TableRoute[] {
  const find = (request: Request) => findConnection(connections, idOf(request));
  const overview: Answer = async (request, response) => {
    const connection = await find(request);
    const quality = await remote.quality(connection, filterOf(pairsOf(request)));
    sendJson(response, 200, JSON.stringify(quality));
  };
  const judge: Answer = async (request, response) => {
    const connection = await find(request);
    const asked = jsonBody(request, 'Judging');
    if (!is(RemoteJudging, asked)) {
      throw new FhirError('value', {
        text: 'Send {} to go on, or {"from":"start"} to read all records anew.',
      });
    }
    sendJson(response, 202, JSON.stringify(await remote.start(connection, asked.from)));
  };
  const stop: Answer = async (request, response) => {
    sendJson(response, 200, JSON.stringify(await remote.stop(await find(request))));
  };
  const { findings, csv } = findingAnswers(async (request) => remote.worklist(await find(request)));
  return [
    { method: 'GET', path: '/app/connections/:id/quality', answer: overview },
    { method: 'GET', path: '/app/connections/:id/quality/findings', answer: findings },
    { method: 'GET', path: '/app/connections/:id/quality.csv', answer: csv },
    { method: 'POST', path: '/app/connections/:id/quality/judge', readBody, answer: judge },
    { method: 'POST', path: '/app/connections/:id/quality/stop', answer: stop },
  ];
}
