import { absentText, type AbsentPart } from '../../core/app/shared-store.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { TableRoute } from './route-table.ts';

/** Addresses by the part that they belong to: methods, then the path. */
const addresses: Readonly<Record<AbsentPart, readonly string[]>> = {
  backups: [
    ...['GET POST /app/backups', 'PUT /app/backups/second-place', 'POST /app/backups/:name/restore'],
    'POST /app/damage/:type/:id/mend',
  ],
  training: [
    ...['POST /app/demo', 'GET /app/training', 'GET /app/training/migration/defects'],
    ...['POST /app/training/reset', 'POST DELETE /app/training/writer', 'POST /app/training/:set'],
    ...['GET /app/practice', 'POST /app/practice/conflict/colleague', 'POST /app/practice/:exercise'],
  ],
};

/** What a shared store does not offer yet: each address says so, and what to do without it. */
export function absentRoutes(): readonly TableRoute[] {
  return Object.entries(addresses).flatMap(([part, rows]) =>
    rows.flatMap((row) => {
      const words = row.split(' ');
      const path = words.at(-1) ?? '';
      return words.slice(0, -1).map((method) => ({
        ...{ method, path },
        answer() {
          throw new FhirError('not-built', { text: absentText(part as AbsentPart) });
        },
      }));
    }),
  );
}
