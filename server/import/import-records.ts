import { setImmediate } from 'node:timers/promises';
import type { Authorship } from '../../core/app/authorship.ts';
import { type ImportForm, type ImportLine } from '../../core/app/transfer.ts';
import { FhirError, type Problem } from '../../core/fhir/outcome.ts';
import { isSupportingType } from '../../core/fhir/supporting-resource.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { ValidationLevel } from '../../core/fhir/validation/levels.ts';
import { releaseOfType } from '../../core/fhir/validation/rules-release.ts';
import { isRule } from '../../core/fhir/validation/rules.ts';
import { DryRunMemory } from '../../core/import/dry-run-memory.ts';
import { describeUnread, locationOf, readEntryLink } from '../../core/import/entry.ts';
import { notAResource } from '../../core/import/unfold-json.ts';
import { defined } from '../../core/json/defined.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { SupportingResourceRequest } from '../fhir/supporting-resources.ts';
import type { BatchLog } from '../fhir/batch-log.ts';
import type { RecordService } from '../fhir/service.ts';
import { DocumentCollector, locateRecord, type StoredResource } from './document-collector.ts';
import { documentRefused } from './import-counts.ts';
import type { ImportedRecord, RefusalReason } from './imported-record.ts';
import { linkRecords, type Candidate, type LinkedCandidate } from './links.ts';

const messages = defineMessages('import', {
  unknownType: '{type} is not a FHIR R4 resource type.',
  typeOfRelease: '{type} is a resource type of FHIR {release}, not of R4.',
});

export type { Candidate } from './links.ts';

export interface ImportOptions extends Omit<Authorship, 'reason'> {
  /** Absent outside of a request. */
  readonly requestId?: string;
  /** Stores each record under the id that it brings. */
  readonly keepIds: boolean;
  /** Reports the result of each record without storing anything. */
  readonly dryRun: boolean;
  /** The level of the service if absent. */
  readonly level?: ValidationLevel;
  /** Data folder, for the temporary file of a large input. */
  readonly dataDir: string;
  /** UUID of an import in several requests. Absent for a new batch. */
  readonly batch?: string;
  /** UUID of a new batch, if the caller knows it. */
  readonly newBatch?: string;
  readonly name?: string;
  readonly form?: ImportForm;
  /** True if further requests of the batch follow. */
  readonly more?: boolean;
}

/** Options with the batch that everything stored belongs to. */
interface BatchOptions extends Omit<ImportOptions, 'batch'> {
  readonly batch: BatchLog;
}

/** Result of an entry, with the resource that is stored. */
interface EntryResult {
  readonly line: Omit<ImportedRecord, 'place'>;
  readonly resource?: StoredResource;
}

/** Rewritten links of a record that are listed, at most. */
const maxListedLinks = 20;

/** How many records are handed over together, at most: the store commits them at once. */
const batchSize = 40;

/**
 * Milliseconds after which no further record joins the batch. Other requests wait as long again for the
 * commit.
 */
const turn = 3;

/** Stores the candidates in order through the service and yields the result of each. */
export async function* importRecords(
  service: RecordService,
  candidates: AsyncIterable<Candidate>,
  options: ImportOptions,
): AsyncGenerator<ImportedRecord> {
  const { batch: batchId = options.newBatch } = options;
  const log = await service.startBatch({ ...options, ...(batchId !== undefined && { batch: batchId }) });
  const batchOptions: BatchOptions = { ...options, batch: log };
  // All entries are read before the first is stored: other work runs during both.
  const source = readInTurns(
    linkRecords(readInTurns(candidates), {
      batch: log.source,
      keepsIds: options.keepIds,
      knowsOthers: options.batch !== undefined,
      dataDir: options.dataDir,
    }),
  );
  const collector = new DocumentCollector(log.source);
  const memory = new DryRunMemory(log.source, options.keepIds);
  /** First entry of the document that is read. */
  let documentHead: Promise<LocatedResult> | undefined;
  let next = quiet(source.next());
  try {
    for (let ended = false; !ended;) {
      const batch: Promise<LocatedResult>[] = [];
      let startedAtMs = Infinity;
      while (batch.length < batchSize && performance.now() < startedAtMs + turn) {
        // Waits for the first record. Others join while it is being stored.
        const [firstRecord] = batch;
        const came = await (firstRecord ? Promise.race([next, firstRecord.then(() => undefined)]) : next);
        ended = came?.done === true;
        if (!came || came.done) break;
        if (!firstRecord) startedAtMs = performance.now();
        const { bundlePlace } = came.value;
        // What came with a document waits for it, so that the order of the entries holds.
        const isPart = bundlePlace !== undefined && bundlePlace.index > 0;
        const head = isPart ? (await documentHead)?.record : undefined;
        const result = quiet(importOne(service, came.value, batchOptions, head));
        if (bundlePlace?.index === 0)
          documentHead = bundlePlace.bundle.head === undefined ? undefined : result;
        batch.push(result);
        next = quiet(source.next());
      }
      for (const pendingRecord of batch) {
        const { record, candidate, resource } = await pendingRecord;
        if (options.dryRun) {
          const { file } = record;
          const line = memory.adjust(candidate, record);
          yield { ...line, ...(file !== undefined && { file }) };
          continue;
        }
        const document = collector.add(candidate, resource);
        if (document) await service.storeDocument(document);
        yield record;
      }
    }
    await log.end();
  } finally {
    await log.close();
    await source.return(undefined);
  }
}

/** Yields the candidates, and lets other work run at least as often as every {@link turn}. */
async function* readInTurns<Entry extends Candidate>(
  candidates: AsyncIterable<Entry>,
): AsyncGenerator<Entry, undefined> {
  let startedAtMs = performance.now();
  for await (const candidate of candidates) {
    yield candidate;
    if (performance.now() < startedAtMs + turn) continue;
    await setImmediate();
    startedAtMs = performance.now();
  }
}

/** The promise, which may be rejected before anyone waits for it. */
function quiet<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

/** Result of an entry with its location. */
interface LocatedResult extends Pick<EntryResult, 'resource'> {
  readonly record: ImportedRecord;
  readonly candidate: LinkedCandidate;
}

async function importOne(
  service: RecordService,
  candidate: LinkedCandidate,
  options: BatchOptions,
  documentHead: ImportedRecord | undefined,
): Promise<LocatedResult> {
  const { path, file } = candidate;
  const location = { ...locationOf(path), ...(file !== undefined && { file }) };
  // The page sends pieces of its files, and says where their entries stand in them. Others only name records elsewhere.
  const via = candidate.via ?? candidate.elsewhere?.via;
  const isOfPage = options.form === 'page';
  const ownLocation = isOfPage && via !== undefined ? readEntryLink(via) : location;
  const locatedCandidate = { ...candidate, location: ownLocation };
  const { line, ...storedResource } = await storeOne(service, locatedCandidate, options, documentHead);
  if (!isOfPage || via !== undefined) await options.batch.add({ ...ownLocation, ...line }, candidate);
  return { record: { ...location, ...line }, candidate, ...storedResource };
}

/** Candidate with the location that its line of the batch states. */
interface LocatedCandidate extends LinkedCandidate {
  readonly location: Partial<ImportLine>;
}

async function storeOne(
  service: RecordService,
  candidate: LocatedCandidate,
  options: BatchOptions,
  documentHead: ImportedRecord | undefined,
): Promise<EntryResult> {
  const { text, fullUrl, location, ...unread } = candidate;
  if (text === undefined) return { line: describeUnread(unread) };
  try {
    const type = await service.typeOf(text);
    if (type === undefined) return { line: toRejection([notAResource()]) };
    if (!isR4Type(type)) return { line: toRejection([describeUnknownType(type)]) };
    if (isResourceType(type)) return await storeRecord(service, { ...candidate, type, text }, options);
    // What came with a document is not kept without it.
    if (documentHead?.result === 'refused') return { line: describeReleased(documentHead) };
    return await storeSupportingResource(service, { type, text, fullUrl, location }, options);
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    return {
      line: { ...toRejection(error.problems), ...(isRefusedByRules(error) && { storable: true }) },
    };
  }
}

async function storeRecord(
  service: RecordService,
  { type, text, fullUrl, id: givenId, links = [], ...candidate }: TypedCandidate,
  { batch, ...options }: BatchOptions,
): Promise<EntryResult> {
  const facts = { ...candidate.location, ...(links.length > 0 && { links: links.length }) };
  const importedRecord = await service.importRecord({
    ...options,
    batch: batch.source,
    batchLine: batch.lineOf(facts, type, { ...candidate, fullUrl }),
    type,
    text,
    fullUrl,
    id: givenId,
  });
  const { result, id, findings = 0, lastUpdated, content } = importedRecord;
  const hasKnownId = result === 'unchanged' || options.keepIds || !options.dryRun;
  const line = {
    result,
    ...(hasKnownId && { record: `${type}/${id}` }),
    ...(findings > 0 && { issues: findings }),
    ...(result === 'stored' &&
      links.length > 0 && { links: links.length, rewritten: links.slice(0, maxListedLinks) }),
    ...(lastUpdated !== undefined && !options.dryRun && { lastUpdated }),
  };
  const location = locateRecord({ type, id }, { ...options, batch: batch.source, fullUrl });
  const { version, text: storedText } = content;
  return { line, resource: { type, id, version, text: storedText, ...location, links: links.length } };
}

/** Candidate that is a record. */
interface TypedCandidate extends LocatedCandidate {
  readonly type: ResourceType;
  readonly text: string;
}

/** Returns the result of a resource that came with a refused document. A level that stores the document stores it as well. */
function describeReleased({ storable }: ImportedRecord): Omit<ImportedRecord, 'place'> {
  const { text: reason, ...code } = documentRefused();
  return { result: 'skipped', reason, ...code, ...defined({ storable }) };
}

function describeUnknownType(type: string): Message {
  const release = releaseOfType(type);
  return release === undefined ? messages.unknownType({ type }) : messages.typeOfRelease({ type, release });
}

async function storeSupportingResource(
  service: RecordService,
  {
    location,
    ...resource
  }: Pick<SupportingResourceRequest, 'type' | 'text' | 'fullUrl'> & Pick<LocatedCandidate, 'location'>,
  { author, person, requestId = '', dryRun, batch }: BatchOptions,
): Promise<EntryResult> {
  const { fullUrl } = resource;
  if (!isSupportingType(resource.type)) return { line: { result: 'skipped', reason: resource.type } };
  const actor = { who: author, ...(person !== undefined && { person }), requestId };
  const { result, type, id, source, text } = await service.storeSupportingResource({
    ...resource,
    ...actor,
    batch: batch.source,
    batchLine: batch.lineOf(location, resource.type),
    dryRun,
  });
  return {
    line: { result, record: `${type}/${id}` },
    resource: { type, id, source, text, fullUrl: fullUrl?.trim() },
  };
}

function isRefusedByRules({ kind, problems }: FhirError): boolean {
  return kind === 'content' && problems.every(({ messageCode }) => isRule(messageCode));
}

/** Returns the rejection of a record: one message that starts with the element. */
function toRejection([problem, ...otherProblems]: readonly Problem[]): RefusalReason & {
  readonly result: 'refused';
} {
  const { text = '', messageCode, parameters, expression } = problem ?? {};
  const where = expression === undefined ? '' : `${expression}: `;
  const moreText = otherProblems.length === 0 ? '' : ` (and ${otherProblems.length} more)`;
  return {
    result: 'refused',
    reason: `${where}${text}${moreText}`,
    ...defined({ messageCode, parameters, expression, more: otherProblems.length || undefined }),
  };
}
