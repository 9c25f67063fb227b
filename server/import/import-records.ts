import { FhirError } from '../../core/fhir/outcome.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { ImportResult, RecordService } from '../fhir/service.ts';
import { readCandidates, sentenceOf, typeNamed, type Candidate, type SourceFile } from './read-sources.ts';

export interface ImportOptions {
  readonly keepIds: boolean;
  readonly author: string;
}

export type CandidateResult = ImportResult | 'refused' | 'skipped';

/** What became of one candidate; `reason` says why it was refused, or which type was skipped. */
export interface ImportedLine {
  readonly name: string;
  readonly result: CandidateResult;
  readonly reason?: string;
}

/** Stores the candidates of the files one by one through the service, and tells what became of each. */
export async function* importRecords(
  service: RecordService,
  files: Iterable<SourceFile>,
  options: ImportOptions,
): AsyncGenerator<ImportedLine & { readonly file: SourceFile }> {
  for (const file of files) {
    for await (const candidate of readCandidates(file)) {
      yield { file, ...(await importOne(service, candidate, options)) };
    }
  }
}

async function importOne(
  service: RecordService,
  { name, text, fault }: Candidate,
  { keepIds, author }: ImportOptions,
): Promise<ImportedLine> {
  if (text === undefined) return { name, result: 'refused', reason: fault ?? 'There is nothing to read.' };
  try {
    const type = typeNamed(text);
    if (type === undefined)
      return { name, result: 'refused', reason: 'This is not a FHIR resource: no resourceType.' };
    if (!isResourceType(type)) return { name, result: 'skipped', reason: type };
    if (keepIds) return { name, result: await service.importRecord({ type, text, author }) };
    await service.create({ type, text, author });
    return { name, result: 'stored' };
  } catch (error) {
    if (error instanceof FhirError) return { name, result: 'refused', reason: sentenceOf(error) };
    throw error;
  }
}
