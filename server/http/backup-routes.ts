import { SecondaryFolderChange } from '../../core/app/backups.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { Backups } from '../backups/backups.ts';
import { parseBodyAs } from './body.ts';
import { createJsonHandler } from './reply.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('backup', {
  invalidFolder: 'Send the absolute path of a folder as "folder", or null for none.',
});

/** `/app/backups`. A name must be in the list and is never a path. */
export function createBackupRoutes(backups: Backups): readonly TableRoute[] {
  const create = createJsonHandler((request) => backups.make(request.actor), 201);
  const restore = createJsonHandler((request) => backups.restore(request.params.name ?? '', request.actor));
  const secondPlace = createJsonHandler((request) => {
    const change = parseBodyAs(request, 'Second location', SecondaryFolderChange, messages.invalidFolder());
    return backups.setSecondaryFolder(change.folder);
  });
  return [
    { method: 'GET', path: '/app/backups', handler: createJsonHandler(() => backups.list()) },
    { method: 'POST', path: '/app/backups', handler: create },
    { method: 'PUT', path: '/app/backups/second-place', body: true, handler: secondPlace },
    { method: 'POST', path: '/app/backups/:name/restore', handler: restore },
  ];
}
