import { provenance } from '../../core/api/provenance.ts';
import type { RecordService } from '../fhir/service.ts';
import type { SharedStore } from '../store/store.ts';
import { idOf, typeOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { sendLines } from './write-out.ts';

export interface ProvenanceParts {
  readonly service: Pick<RecordService, 'current'>;
  readonly store: Pick<SharedStore, 'heads'>;
}

/** Versions that are read before other requests have their turn. */
const slice = 500;

/** `/app/provenance`: who wrote each version and why, as Provenance in NDJSON, oldest first; of one record or of all. */
export function provenanceRoutes({ service, store }: ProvenanceParts): readonly TableRoute[] {
  async function* provenances(
    record: Parameters<typeof store.heads.proven>[0],
  ): AsyncGenerator<readonly object[]> {
    for (let after = 0; ;) {
      const versions = await store.heads.proven(record, after, slice);
      const last = versions.at(-1);
      if (!last) return;
      yield versions.map(provenance);
      after = last.place;
    }
  }
  const exported: Answer = async (request, response) => {
    const type = request.params.type === undefined ? undefined : typeOf(request);
    const record = type && { type, id: (await service.current(type, idOf(request))).id };
    await sendLines(response, 'provenance.ndjson', provenances(record));
  };
  return [
    { method: 'GET', path: '/app/provenance', audit: 'search', answer: exported },
    { method: 'GET', path: '/app/provenance/:type/:id', audit: 'read', answer: exported },
  ];
}
