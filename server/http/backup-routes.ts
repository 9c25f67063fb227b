import { SecondPlaceChange } from '../../core/app/backups.ts';
import type { Backups } from '../backups/backups.ts';
import { doerOf } from './access.ts';
import { bodyOf } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

/** Backups of the records; a name is one of the list, never a path. */
export function backupRoutes(backups: Backups): readonly TableRoute[] {
  const make = json((_request, response) => backups.make(doerOf(response)), 201);
  const restore = json((request, response) => backups.restore(String(request.params.name), doerOf(response)));
  const secondPlace = json((request) => {
    const change = bodyOf(request, 'Second place', SecondPlaceChange, {
      text: 'Send the full path of a folder as "folder", or null for none.',
    });
    return backups.useSecondPlace(change.folder);
  });
  return [
    { method: 'GET', path: '/app/backups', answer: json(() => backups.list()) },
    { method: 'POST', path: '/app/backups', answer: make },
    { method: 'PUT', path: '/app/backups/second-place', body: true, answer: secondPlace },
    { method: 'POST', path: '/app/backups/:name/restore', answer: restore },
  ];
}
