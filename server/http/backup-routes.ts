import { SecondPlaceChange } from '../../core/app/backups.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Backups } from '../backups/backups.ts';
import { getActor } from './access.ts';
import { bodyOf } from './body.ts';
import { json } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('backup', {
  invalidFolder: 'Send the absolute path of a folder as "folder", or null for none.',
});

/** `/app/backups`. A name must be in the list and is never a path. */
export function backupRoutes(backups: Backups): readonly TableRoute[] {
  const create = json((_request, response) => backups.make(getActor(response)), 201);
  const restore = json((request, response) =>
    backups.restore(String(request.params.name), getActor(response)),
  );
  const secondPlace = json((request) => {
    const change = bodyOf(request, 'Second location', SecondPlaceChange, messages.invalidFolder());
    return backups.useSecondPlace(change.folder);
  });
  return [
    { method: 'GET', path: '/app/backups', answer: json(() => backups.list()) },
    { method: 'POST', path: '/app/backups', answer: create },
    { method: 'PUT', path: '/app/backups/second-place', body: true, answer: secondPlace },
    { method: 'POST', path: '/app/backups/:name/restore', answer: restore },
  ];
}
