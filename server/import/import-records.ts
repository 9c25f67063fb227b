import type { Authorship } from '../../core/app/authorship.ts';
import { noneImported, type ImportResult, type StoredSpan } from '../../core/app/transfer.ts';
import { FhirError, type Problem } from '../../core/fhir/outcome.ts';
import { isSupportingType } from '../../core/fhir/supporting-resource.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { isRule } from '../../core/fhir/validation/rules.ts';
import { defined } from '../../core/json/defined.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { CompanionRequest } from '../fhir/supporting-resources.ts';
import type { RecordService } from '../fhir/service.ts';
import type { Candidate } from './candidates.ts';

const messages = defineMessages('import', {
  empty: 'Empty record.',
  notAResource: 'Not a FHIR resource: resourceType is missing.',
  unknownType: '{type} is not a FHIR R4 resource type.',
});

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

/** Why a record was refused, in a sentence and by its code. */
interface RefusalReason extends Partial<Pick<Problem, 'messageCode' | 'parameters' | 'expression'>> {
  readonly reason: string;
  /** Count of further problems. */
  readonly more?: number;
  /** True if rules alone refused the record, which the level `off` stores. */
  readonly storable?: true;
}

/** What became of one candidate; `reason` says why it was refused, or which type was skipped. */
export interface ImportedRecord extends Partial<RefusalReason> {
  readonly place?: number;
  readonly file?: string;
  readonly result: ImportResult;
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
  if (text === undefined) return refusedFor([fault ?? messages.empty()]);
  try {
    const type = await service.typeOf(text);
    if (type === undefined) return refusedFor([messages.notAResource()]);
    if (!isR4Type(type)) return refusedFor([messages.unknownType({ type })]);
    if (!isResourceType(type))
      return await storeSupportingResource(service, { type, text, fullUrl }, options);
    const { result, id, findings = 0, lastUpdated } = await service.importRecord({ ...options, type, text });
    const known = result === 'unchanged' || options.keepIds || !options.dryRun;
    return {
      result,
      ...(known && { record: `${type}/${id}` }),
      ...(findings > 0 && { issues: findings }),
      ...(lastUpdated !== undefined && !options.dryRun && { lastUpdated }),
    };
  } catch (error) {
    if (error instanceof FhirError)
      return { ...refusedFor(error.problems), ...(isRefusedByRules(error) && { storable: true }) };
    throw error;
  }
}

async function storeSupportingResource(
  service: RecordService,
  resource: Pick<CompanionRequest, 'type' | 'text' | 'fullUrl'>,
  { author, person, requestId = '', dryRun }: ImportOptions,
): Promise<Omit<ImportedRecord, 'place'>> {
  if (!isSupportingType(resource.type)) return { result: 'skipped', reason: resource.type };
  const doer = { who: author, ...(person !== undefined && { person }), requestId };
  const { result, type, id } = await service.keepCompanion({ ...resource, ...doer, dryRun });
  return { result, record: `${type}/${id}` };
}

function isRefusedByRules({ kind, problems }: FhirError): boolean {
  return kind === 'content' && problems.every(({ messageCode }) => isRule(messageCode));
}

/** Returns the refusal of a record: one sentence, behind the element that it is about. */
function refusedFor([problem, ...others]: readonly Problem[]): RefusalReason & {
  readonly result: 'refused';
} {
  const { text = '', messageCode, parameters, expression } = problem ?? {};
  const where = expression === undefined ? '' : `${expression}: `;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return {
    result: 'refused',
    reason: `${where}${text}${more}`,
    ...defined({ messageCode, parameters, expression, more: others.length || undefined }),
  };
}

/** Counts results, and the types of what was skipped. */
export class ImportCounts {
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
      formatList(
        Array.from(types, ([type, count]) => `${type} ${count}`),
        'unit',
      );
    if (skipped > 0) parts.push(`${skipped} of other types skipped (${list(this.types)})`);
    const beside = this.companions();
    const again = replaced === 0 ? '' : ` (${replaced} replaced)`;
    if (beside) parts.push(`related resources: ${list(Object.entries(beside))}${again}`);
    return `${parts.join(', ')}.`;
  }
}
