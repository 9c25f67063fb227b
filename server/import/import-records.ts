import type { Authorship } from '../../core/app/authorship.ts';
import { noneImported, type ImportResult, type StoredSpan } from '../../core/app/transfer.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isKeptBeside } from '../../core/fhir/companion.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { defined } from '../../core/json/defined.ts';
import type { CompanionRequest } from '../fhir/companions.ts';
import type { RecordService } from '../fhir/service.ts';
import type { Candidate } from './candidates.ts';

export interface ImportOptions extends Omit<Authorship, 'reason'> {
  /** Absent where no request asked. */
  readonly requestId?: string;
  /** Stores each record under the id that it brings. */
  readonly keepIds: boolean;
  /** Says what would become of each record, and stores nothing. */
  readonly dryRun: boolean;
  /** The service's own level where absent. */
  readonly level?: ValidationLevel;
}

/** What became of one candidate; `reason` says why it was refused, or which type was skipped. */
export interface ImportedRecord {
  readonly place?: number;
  readonly file?: string;
  readonly result: ImportResult;
  readonly reason?: string;
  /** The record or companion that is there now, or would be: `CarePlan/17`; absent where a dry run cannot know its id. */
  readonly record?: string;
  /** How many findings it is flagged with. */
  readonly issues?: number;
  /** When its version was stored; absent behind a dry run. */
  readonly lastUpdated?: string;
}

/** How many records are handed over together, at most: the store commits them at once. */
const together = 40;

/** Milliseconds after which no further record joins: others wait as long again for the commit. */
const turn = 3;

/** Stores the candidates in their order through the service, and tells what became of each. */
export async function* importRecords(
  service: RecordService,
  candidates: AsyncIterable<Candidate>,
  options: ImportOptions,
): AsyncGenerator<ImportedRecord> {
  const source = candidates[Symbol.asyncIterator]();
  let next = quiet(source.next());
  try {
    for (let ended = false; !ended;) {
      const batch: Promise<ImportedRecord>[] = [];
      let begun = Infinity;
      while (batch.length < together && performance.now() < begun + turn) {
        // The first is waited for; others join as long as they come before it is stored.
        const [first] = batch;
        const came = await (first ? Promise.race([next, first.then(() => undefined)]) : next);
        ended = came?.done === true;
        if (!came || came.done) break;
        if (!first) begun = performance.now();
        batch.push(quiet(importOne(service, came.value, options)));
        next = quiet(source.next());
      }
      for (const imported of batch) yield await imported;
    }
  } finally {
    await source.return?.();
  }
}

/** The promise, which may be rejected before anyone waits for it. */
function quiet<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

async function importOne(
  service: RecordService,
  candidate: Candidate,
  options: ImportOptions,
): Promise<ImportedRecord> {
  const { place, file } = candidate;
  return { ...defined({ place, file }), ...(await storeOne(service, candidate, options)) };
}

async function storeOne(
  service: RecordService,
  { text, fault, fullUrl }: Candidate,
  options: ImportOptions,
): Promise<Omit<ImportedRecord, 'place'>> {
  if (text === undefined) return { result: 'refused', reason: fault ?? 'There is nothing to read.' };
  try {
    const type = await service.typeOf(text);
    if (type === undefined)
      return { result: 'refused', reason: 'This is not a FHIR resource: no resourceType.' };
    if (!isR4Type(type)) return { result: 'refused', reason: `${type} is no resource type of FHIR R4.` };
    if (!isResourceType(type)) return await keepBeside(service, { type, text, fullUrl }, options);
    const { result, id, findings = 0, lastUpdated } = await service.importRecord({ ...options, type, text });
    const known = result === 'unchanged' || options.keepIds || !options.dryRun;
    return {
      result,
      ...(known && { record: `${type}/${id}` }),
      ...(findings > 0 && { issues: findings }),
      ...(lastUpdated !== undefined && !options.dryRun && { lastUpdated }),
    };
  } catch (error) {
    if (error instanceof FhirError) return { result: 'refused', reason: sentenceOf(error) };
    throw error;
  }
}

async function keepBeside(
  service: RecordService,
  resource: Pick<CompanionRequest, 'type' | 'text' | 'fullUrl'>,
  { author, person, requestId = '', dryRun }: ImportOptions,
): Promise<Omit<ImportedRecord, 'place'>> {
  if (!isKeptBeside(resource.type)) return { result: 'skipped', reason: resource.type };
  const doer = { who: author, ...(person !== undefined && { person }), requestId };
  const { result, type, id } = await service.keepCompanion({ ...resource, ...doer, dryRun });
  return { result, record: `${type}/${id}` };
}

/** One sentence for a refused record, behind the element where one is named. */
function sentenceOf(error: FhirError): string {
  const [problem] = error.problems;
  const more = error.problems.length > 1 ? ` (and ${error.problems.length - 1} more)` : '';
  const where = problem?.expression === undefined ? '' : `${problem.expression}: `;
  return `${where}${problem?.text ?? error.message}${more}`;
}

/** Counts results, and the types of what was skipped. */
export class Tally {
  readonly counts: Record<ImportResult, number> = noneImported();
  private readonly types = new Map<string, number>();
  private readonly beside = new Map<string, number>();
  private first = '';
  private last = '';

  add({ result, reason = '', record = '' }: ImportedRecord, lastUpdated?: string): void {
    this.counts[result] += 1;
    if (lastUpdated !== undefined) {
      if (this.first === '' || lastUpdated < this.first) this.first = lastUpdated;
      if (lastUpdated > this.last) this.last = lastUpdated;
    }
    const [type = ''] = record.split('/');
    const counted = { skipped: this.types, kept: this.beside, replaced: this.beside }[result as string];
    const name = result === 'skipped' ? reason : type;
    counted?.set(name, (counted.get(name) ?? 0) + 1);
  }

  /** When the first version was stored, and when the last; undefined where none was. */
  span(): StoredSpan | undefined {
    return this.first === '' ? undefined : { first: this.first, last: this.last };
  }

  /** How many of each type were kept beside the records; undefined where none was. */
  companions(): Readonly<Record<string, number>> | undefined {
    return this.beside.size === 0 ? undefined : Object.fromEntries([...this.beside].sort());
  }

  /** The counts in one line. */
  summary(): string {
    const { stored, unchanged, refused, skipped, replaced } = this.counts;
    const parts = [`${stored} stored`, `${unchanged} unchanged`, `${refused} refused`];
    const list = (types: Iterable<readonly [string, number]>) =>
      [...types].map(([type, count]) => `${type} ${count}`).join(', ');
    if (skipped > 0) parts.push(`${skipped} of other types skipped (${list(this.types)})`);
    const beside = this.companions();
    const again = replaced === 0 ? '' : ` (${replaced} in the place of others)`;
    if (beside) parts.push(`kept as companions: ${list(Object.entries(beside))}${again}`);
    return `${parts.join(', ')}.`;
  }
}
