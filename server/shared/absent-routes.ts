import { absentParts, type AbsentPart } from '../../core/app/shared-store.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { TableRoute } from '../http/route-table.ts';

const messages = defineMessages('sharedStore', {
  backups:
    'Not available on a shared store yet. The database’s own backups protect the records. Ask your database administrator.',
  training: 'Not available on a shared store yet. Practice needs a server with its own data folder.',
});

/** Addresses by the part that they belong to: methods, then the path. */
const addresses: Readonly<Record<AbsentPart, readonly string[]>> = {
  backups: [
    'GET POST /app/backups',
    'PUT /app/backups/second-place',
    'POST /app/backups/:name/restore',
    'POST /app/damage/:type/:id/mend',
  ],
  training: [
    'POST /app/demo',
    'GET /app/training',
    'GET /app/training/migration/defects',
    'POST /app/training/reset',
    'POST DELETE /app/training/writer',
    'POST /app/training/:set',
    'GET /app/practice',
    'POST /app/practice/conflict/colleague',
    'POST /app/practice/:exercise',
  ],
};

/** Routes that a shared store does not support yet. Each responds with an alternative. */
export function createUnavailableRoutes(): readonly TableRoute[] {
  return absentParts.flatMap((part) =>
    addresses[part].flatMap((row) => {
      const words = row.split(' ');
      const path = words.at(-1) ?? '';
      return words.slice(0, -1).map((method) => ({
        method,
        path,
        handler() {
          throw new FhirError('not-built', messages[part]());
        },
      }));
    }),
  );
}
