import { randomUUID } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { fhirPath } from '../../core/api/contract.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import {
  importTypes,
  lineType,
  readImportSettings,
  type ImportEnd,
  type ImportLine,
} from '../../core/app/transfer.ts';
import { formatAddressedLine, type BodyPart } from '../../core/fhir/bundle.ts';
import { addressInSource } from '../../core/fhir/origin.ts';
import { FhirError, maxIssues, toOutcome, type OperationOutcome } from '../../core/fhir/outcome.ts';
import { isResourceType, resourceTypes, typeChoice } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { importLimits, readEntries, readFile } from '../../core/import/read-files.ts';
import { defineMessages } from '../../core/text/message.ts';
import { requireOpenBatch } from '../fhir/batch-log.ts';
import type { RecordService } from '../fhir/service.ts';
import { ImportCounts } from '../import/import-counts.ts';
import { importRecords, type Candidate } from '../import/import-records.ts';
import { readSpooled } from '../import/spool.ts';
import { toAuthorship } from '../store/actor.ts';
import type { SharedStore } from '../store/store.ts';
import { respondFile } from './reply.ts';
import { type ApiRequest, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('transfer', {
  invalidImport:
    'An import accepts keepIds, dryRun and more (true or false), level (off, standard or strict), batch (a UUID), name (up to 200 characters) and form (page, command or http).',
  invalidType: 'type must be {types}.',
  damagedRecords: {
    one: '{n} record can’t be exported: its stored text is damaged.',
    other: '{n} records can’t be exported: their stored text is damaged.',
  },
  damagedCompanions: {
    one: '{n} related resource can’t be exported: its stored text is damaged.',
    other: '{n} related resources can’t be exported: their stored text is damaged.',
  },
});

export interface TransferDependencies {
  readonly service: RecordService;
  readonly store: SharedStore;
  /** Largest record in bytes. */
  readonly maxBody: number;
  readonly base: () => string;
  /** Data folder, for the temporary files of large imports. */
  readonly dataDir: string;
}

/**
 * Returns the routes of streamed import and export. They hold one record at a time and stop if the client
 * disconnects.
 */
export function createTransferRoutes(dependencies: TransferDependencies): readonly TableRoute[] {
  return [
    { method: 'POST', path: '/app/import', audit: 'create', handler: importHandler(dependencies) },
    { method: 'GET', path: '/app/export', audit: 'search', handler: exportHandler(dependencies) },
  ];
}

/** Reads the body in chunks and reports each record while it reads the next. */
function importHandler({ service, store, maxBody, dataDir }: TransferDependencies): Handler {
  return async (request) => {
    const settings = readImportSettings(request.query);
    if (!settings) {
      throw new FhirError('not-accepted', messages.invalidImport());
    }
    checkContentType(request.headers['content-type'], Object.values(importTypes).flat());
    const entries = readBody(request, { maxBody, dataDir });
    const batch = settings.batch ?? randomUUID();
    if (settings.batch !== undefined) await requireOpenBatch(store, batch);
    const options = { ...settings, newBatch: batch, ...toAuthorship(request.actor), dataDir };
    // Each stored record has its own entry.
    request.notes.isAudited = true;
    const lines = importLines(
      store,
      importRecords(service, entries, options),
      settings.dryRun ? undefined : batch,
    );
    const pieces = isSmallBody(request)
      ? lines
      : readSpooled(dataDir, lines, (path) => createReadStream(path));
    return {
      status: 200,
      headers: { 'Content-Type': lineType },
      body: { pieces, isLive: true, isWork: true },
    };
  };
}

/** Imports the records and yields a line for each, then the counts. */
async function* importLines(
  store: SharedStore,
  records: ReturnType<typeof importRecords>,
  batch: string | undefined,
): AsyncGenerator<string> {
  const counts = new ImportCounts();
  const endBulk = store.startBulk();
  try {
    for await (const record of records) {
      const { lastUpdated, ...line } = record;
      counts.add(line, lastUpdated);
      yield formatLine(line);
    }
  } finally {
    endBulk();
  }
  yield formatLine({ ...counts.toEnd(), ...(batch !== undefined && { batch }) });
}

/** Bytes of the largest body whose response starts while it arrives. Proxies can stop sending at a response. */
const smallBodyBytes = 64 * 1024;

function isSmallBody({ headers }: ApiRequest): boolean {
  return Number(headers['content-length'] ?? Infinity) <= smallBodyBytes;
}

/** Yields the entries of the body, which it reads to its end, so that the connection stays usable (row 96). */
async function* readBody(
  request: ApiRequest,
  { maxBody, dataDir }: Pick<TransferDependencies, 'maxBody' | 'dataDir'>,
): AsyncGenerator<Candidate> {
  const iterator: AsyncIterator<Buffer> = request.incoming[Symbol.asyncIterator]();
  // A reader that stops early would destroy the stream itself.
  const chunks = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
  const limits = importLimits(maxBody);
  if (hasType(request, importTypes.zip)) {
    const readZip = async function* (path: string) {
      yield* readEntries([{ path: 'zip', blob: await openAsBlob(path) }], limits);
    };
    for await (const { file, ...entry } of readSpooled(dataDir, chunks, readZip))
      yield { ...entry, ...(file !== 'zip' && { file: file.slice('zip/'.length) }) };
  } else yield* readFile(nameOf(request), chunks, limits);
  while ((await iterator.next()).done !== true);
}

/** Returns the name that a file with the body would have. */
function nameOf(request: ApiRequest): string {
  if (hasType(request, importTypes.lines)) return 'body.ndjson';
  if (hasType(request, importTypes.xml)) return 'body.xml';
  return hasType(request, importTypes.gzip) ? 'body.gz' : 'body.json';
}

function hasType({ headers }: ApiRequest, types: readonly string[]): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return types.includes(type.trim().toLowerCase());
}

/** Limit of records per store page. */
const exportPageSize = 200;
const lineEnd = Buffer.from('\n');

/**
 * Creates the export handler. `type` selects types, all by default. Other parameters narrow the records as in a search.
 */
function exportHandler({ store, base }: TransferDependencies): Handler {
  return (request) => {
    const { hasAddresses, pairs } = takeAddressOption(request.query);
    const types = pairs.filter(([name]) => name === 'type').map(([, value]) => value);
    const unknown = types.find((type) => !isResourceType(type));
    if (unknown !== undefined) {
      throw new FhirError('value', { ...messages.invalidType({ types: typeChoice }), location: 'http.type' });
    }
    const query = pairs.filter(([name]) => name !== 'type');
    const requestedTypes = (types.length === 0 ? resourceTypes : types).filter(isResourceType);
    const searches = requestedTypes.map((type) =>
      readCriteria(type, query, { base: base() + fhirPath, now: Date.now() }),
    );
    return respondFile(lineType, 'records.ndjson', {
      pieces: generateLines(store, searches, hasAddresses ? base() + fhirPath : undefined),
    });
  };
}

/** Takes `fullUrl=true` out of the query of an export: each line is then a Bundle that states the address of its resource. */
export function takeAddressOption(query: ApiRequest['query']) {
  const isOption = ([name, value]: readonly [string, string]) => name === 'fullUrl' && value === 'true';
  return { hasAddresses: query.some(isOption), pairs: query.filter((pair) => !isOption(pair)) };
}

/**
 * Generates the lines of an export on demand.
 *
 * @param ownSource - Source of records that no import brought, if the lines state addresses.
 */
async function* generateLines(
  store: SharedStore,
  searches: readonly SearchCriteria[],
  ownSource: string | undefined,
): AsyncGenerator<BodyPart> {
  const damageErrors: FhirError[] = [];
  for (const criteria of searches) {
    for (let next = criteria.cursor; ;) {
      const page = await store.search(
        { ...criteria, count: exportPageSize, ...(next && { cursor: next }) },
        exportPageSize,
      );
      for (const record of page.records) {
        if ('fault' in record) damageErrors.push(record.fault);
        else if (ownSource === undefined) yield* [record.bytes, lineEnd];
        else {
          const name = { type: criteria.type, id: record.id };
          const origin = await store.supportingResources.readOrigin(name);
          const { source = ownSource, fullUrl } = origin ?? {};
          yield formatAddressedLine(addressInSource(source, name, fullUrl), record.bytes.toString());
        }
      }
      if (!page.nextCursor) break;
      next = page.nextCursor;
    }
  }
  if (damageErrors.length > 0) yield formatLine(createExclusionOutcome(damageErrors, 'damagedRecords'));
}

/** Creates an outcome of excluded records: their number in the first issue, then as many issues as fit. */
export function createExclusionOutcome(
  damageErrors: readonly FhirError[],
  kind: 'damagedRecords' | 'damagedCompanions',
): OperationOutcome {
  const listedProblems = damageErrors.slice(0, maxIssues - 1).flatMap(({ problems }) => problems);
  return toOutcome(new FhirError('damaged', [messages[kind]({ n: damageErrors.length }), ...listedProblems]));
}

function formatLine(line: ImportLine | ImportEnd | OperationOutcome): string {
  return `${JSON.stringify(line)}\n`;
}
