import { setImmediate } from 'node:timers/promises';
import type { DemoLoaded } from '../../core/app/models.ts';
import { generateClinic } from '../demo/generate.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { ImportResult, ImportRequest, RecordService } from '../fhir/service.ts';

export interface DemoOptions {
  readonly author: string;
  readonly seed?: number;
}

/** Stores the demo clinic through the import's write path; loading it again changes nothing, edits included. */
export async function loadDemo(
  service: RecordService,
  { author, seed = 1 }: DemoOptions,
): Promise<DemoLoaded> {
  const counts = { stored: 0, unchanged: 0 };
  for (const { type, text } of generateClinic({ seed })) {
    counts[await storeOrKeep(service, { type, text, author, keepIds: true })] += 1;
    // Other requests go first: the driver works synchronously.
    await setImmediate();
  }
  return counts;
}

async function storeOrKeep(service: RecordService, request: ImportRequest): Promise<ImportResult> {
  try {
    return await service.importRecord(request);
  } catch (error) {
    if (error instanceof FhirError && error.kind === 'exists') return 'unchanged';
    throw error;
  }
}
