import { setImmediate } from 'node:timers/promises';
import { etagOf } from '../../core/api/precondition.ts';
import { authorshipIn, type Authorship } from '../../core/app/authorship.ts';
import type { DemoLoaded } from '../../core/app/models.ts';
import type { TrainingSet } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { generateClinic } from '../demo/generate.ts';
import { generateMigration, type MigratedRecord } from '../demo/migration.ts';
import type { RecordService } from '../fhir/service.ts';
import type { ImportResult } from '../fhir/service-requests.ts';

export interface LoadOptions extends Omit<Authorship, 'reason'> {
  /** Absent outside of a request. */
  readonly requestId?: string;
  readonly seed: number;
}

/** How many records are handed over together: the store commits them at once. */
const batchSize = 40;

/** Yields the records of a set, generated on demand. The busy ward has the records of the clean clinic. */
export function* recordsOf(set: TrainingSet, seed: number): Generator<MigratedRecord> {
  if (set === 'migration') yield* generateMigration({ seed });
  else yield* generateClinic({ seed });
}

/** Stores a training set through the import. Loading it again changes nothing and keeps edits. */
export async function loadTraining(
  service: RecordService,
  set: TrainingSet,
  { requestId, seed, ...authorOptions }: LoadOptions,
): Promise<DemoLoaded> {
  const counts = { stored: 0, unchanged: 0 };
  const level = set === 'migration' ? { level: 'off' as const } : {};
  let batch: MigratedRecord[] = [];
  const storeBatch = async () => {
    const results = await Promise.all(
      batch.map((record) => storeOrKeep(service, record, { ...authorOptions, requestId, ...level })),
    );
    for (const result of results) counts[result] += 1;
    batch = [];
    // Other requests go first: the driver works synchronously.
    await setImmediate();
  };
  for (const record of recordsOf(set, seed)) {
    batch.push(record);
    if (batch.length === batchSize) await storeBatch();
  }
  await storeBatch();
  return counts;
}

async function storeOrKeep(
  service: RecordService,
  { type, id, text, laterText }: MigratedRecord,
  options: Authorship & { readonly requestId?: string | undefined; readonly level?: 'off' },
): Promise<ImportResult> {
  try {
    const { result, version } = await service.importRecord({ type, text, keepIds: true, ...options });
    // After a restore the first version is not 1.
    if (version !== undefined && laterText !== undefined) {
      const { requestId } = options;
      const authorship = authorshipIn(options);
      await service.update({ type, id, text: laterText, ...authorship, requestId, ifMatch: etagOf(version) });
    }
    return result;
  } catch (error) {
    // Erased records stay erased.
    if (error instanceof FhirError && ['exists', 'gone'].includes(error.kind)) return 'unchanged';
    throw error;
  }
}
