import { setImmediate } from 'node:timers/promises';
import { provenance } from '../../core/api/provenance.ts';
import type { RecordService } from '../fhir/service.ts';
import type { RecordStore } from '../store/store.ts';
import { idOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { writeOut } from './write-out.ts';

export interface ProvenanceParts {
  readonly service: Pick<RecordService, 'current'>;
  readonly store: Pick<RecordStore, 'heads'>;
}

/** Versions that are read before other requests have their turn. */
const slice = 500;

/** `/app/provenance`: who wrote each version and why, as Provenance in NDJSON, oldest first; of one record or of all. */
export function provenanceRoutes({ service, store }: ProvenanceParts): readonly TableRoute[] {
  const exported: Answer = async (request, response) => {
    const type = request.params.type === undefined ? undefined : typeOf(request);
    const record = type && { type, id: (await service.current(type, idOf(request))).id };
    response.status(200).set({
      'Content-Type': 'application/fhir+ndjson',
      'Content-Disposition': 'attachment; filename="provenance.ndjson"',
    });
    for (let after = 0; ;) {
      const versions = store.heads.proven(record, after, slice);
      const last = versions.at(-1);
      if (!last || response.destroyed) break;
      await writeOut(response, versions.map((one) => `${JSON.stringify(provenance(one))}\n`).join(''));
      after = last.place;
      await setImmediate();
    }
    response.end();
  };
  return [
    { method: 'GET', path: '/app/provenance', audit: 'search', answer: exported },
    { method: 'GET', path: '/app/provenance/:type/:id', audit: 'read', answer: exported },
  ];
}
