import type { RequestHandler } from 'express';
import type { Backups } from '../backups/backups.ts';
import { sendJson } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** Backups of the records; a name is one of the list, never a path. */
export function backupRoutes(backups: Backups): readonly TableRoute[] {
  const list: RequestHandler = (_request, response) => {
    sendJson(response, 200, JSON.stringify(backups.list()));
  };
  const make: RequestHandler = async (_request, response) => {
    sendJson(response, 201, JSON.stringify(await backups.make()));
  };
  const restore: RequestHandler = async (request, response) => {
    sendJson(response, 200, JSON.stringify(await backups.restore(String(request.params.name))));
  };
  return [
    { method: 'get', path: '/backups', handlers: [list] },
    { method: 'post', path: '/backups', handlers: [make] },
    { method: 'post', path: '/backups/:name/restore', handlers: [restore] },
  ];
}
