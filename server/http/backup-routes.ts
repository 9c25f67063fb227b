import type { Response } from 'express';
import type { Backups } from '../backups/backups.ts';
import type { Doer } from '../store/store.ts';
import { principalOf } from './access.ts';
import { requestIdOf, sendJson } from './reply.ts';
import type { Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';

/** Backups of the records; a name is one of the list, never a path. */
export function backupRoutes(backups: Backups): readonly TableRoute[] {
  const list: Answer = (_request, response) => {
    sendJson(response, 200, JSON.stringify(backups.list()));
  };
  const make: Answer = async (_request, response) => {
    sendJson(response, 201, JSON.stringify(await backups.make(doerOf(response))));
  };
  const restore: Answer = async (request, response) => {
    sendJson(
      response,
      200,
      JSON.stringify(await backups.restore(String(request.params.name), doerOf(response))),
    );
  };
  return [
    { method: 'GET', path: '/app/backups', answer: list },
    { method: 'POST', path: '/app/backups', answer: make },
    { method: 'POST', path: '/app/backups/:name/restore', answer: restore },
  ];
}

function doerOf(response: Response): Doer {
  return { who: principalOf(response).name, requestId: requestIdOf(response) };
}
