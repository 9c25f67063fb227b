/** `/app/batches`: imports with their lines, comparison of two, and undo (core/app/batches.ts). */
import {
  differenceKinds,
  NewBatchLines,
  UndoRequest,
  type BatchComparison,
  type BatchLine,
  type BatchLines,
  type ImportBatch,
  type ImportBatchDetail,
  type ImportBatches,
  type RemovedHistory,
} from '../../core/app/batches.ts';
import { importResults, type ImportLine } from '../../core/app/transfer.ts';
import { isBatchId } from '../../core/fhir/origin.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isFhirId } from '../../core/fhir/resource.ts';
import { reasonDemanded } from '../../core/api/provenance.ts';
import { defineMessages } from '../../core/text/message.ts';
import type { RecordService } from '../fhir/service.ts';
import { noSuchRecord } from '../fhir/service-errors.ts';
import { undoBatch, type UndoDependencies } from '../import/undo-batch.ts';
import type { BatchCursor, BatchLineRow } from '../store/import-batches.ts';
import type { SharedStore } from '../store/store.ts';
import { redactNote } from '../workspace/redact.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parseBodyAs } from './body.ts';
import { createJsonHandler } from './reply.ts';
import { assertFound, type ApiRequest } from './request.ts';
import type { TableRoute } from './route-table.ts';

const messages = defineMessages('batch', {
  absent: 'There is no import batch with this ID.',
  otherAbsent: 'There is no import batch to compare with. Send with=ID.',
  invalidQuery: 'Unknown or invalid parameter.',
  invalidLines: 'Send at most 10,000 lines, each with the result refused or skipped.',
  invalidUndo: 'An undo accepts dryRun (true or false) and a reason.',
  running: 'This import is still running, or its undo is. Wait for its end.',
  undoneAlready: 'This import was undone already.',
});

export interface BatchDependencies {
  readonly store: SharedStore;
  readonly service: Pick<RecordService, 'runningBatches'>;
  readonly undo: UndoDependencies;
  readonly workspace: Pick<Workspace, 'demandsReason'>;
}

/** Batches, lines or differences per page, by default and at most. */
const pageSizes = { usual: 50, most: 1000 };
/** Versions of a removed record that are listed. */
const maxVersions = 200;

export function createBatchRoutes({
  store,
  service,
  undo,
  workspace,
}: BatchDependencies): readonly TableRoute[] {
  const { batches } = store;
  const { runningBatches } = service;
  const withState = (batch: ImportBatch): ImportBatch =>
    runningBatches.has(batch.id) ? { ...batch, state: 'running' } : batch;
  const findBatch = async ({ id }: { readonly id: string | undefined }): Promise<ImportBatch> =>
    withState(assertFound(await batches.read(id ?? ''), messages.absent()));

  const list = createJsonHandler(async ({ query }) => {
    const { after, count } = readQuery(query, ['after', 'count']);
    const page = await batches.list(after === undefined ? undefined : parseCursor(after), count + 1);
    const visible = page.slice(0, count);
    const lastBatch = visible.at(-1);
    return {
      batches: visible.map(withState),
      ...(page.length > count && lastBatch && { next: `${Date.parse(lastBatch.time)}:${lastBatch.id}` }),
    } satisfies ImportBatches;
  });
  const read = createJsonHandler(async (request) => {
    const batch = await findBatch(request);
    return { ...batch, records: await batches.countRecords(batch.id) } satisfies ImportBatchDetail;
  });
  const readLines = createJsonHandler(async (request) => {
    const { id } = await findBatch(request);
    const { after, count, result } = readQuery(request.query, ['after', 'count', 'result']);
    const chosenResult = importResults.find((candidate) => candidate === result);
    if (chosenResult !== result) throw createInvalid('result');
    const query = { after: parsePosition(after), result: chosenResult };
    const rows = await batches.readLines(id, query, count + 1);
    const lines = rows.slice(0, count).map(toLine);
    const next = lines.at(-1)?.position;
    return {
      lines,
      ...(rows.length > count && next !== undefined && { next: String(next) }),
    } satisfies BatchLines;
  });
  const addLines = createJsonHandler(async (request) => {
    const batch = await findBatch(request);
    const { lines, done = false } = parseBodyAs(
      request,
      'BatchLines',
      NewBatchLines,
      messages.invalidLines(),
    );
    if (batch.state === 'undone') throw new FhirError('business-rule', messages.undoneAlready());
    const rows = lines.map(({ result, ...line }) => ({ result, detail: JSON.stringify(line) }));
    if (rows.length > 0) await batches.addLines(batch.id, rows);
    if (done) await batches.end(batch.id, undo.clock());
    return findBatch(request);
  });
  const compare = createJsonHandler(async (request) => {
    const { id } = await findBatch(request);
    const {
      after = '',
      count,
      with: other,
      kind,
    } = readQuery(request.query, ['after', 'count', 'with', 'kind']);
    const chosenKind = differenceKinds.find((candidate) => candidate === kind);
    if (chosenKind !== kind) throw createInvalid('kind');
    const { id: otherId } = assertFound(await batches.read(other ?? ''), messages.otherAbsent());
    const { counts, records } = await batches.compare(id, otherId, { kind: chosenKind, after }, count + 1);
    const visible = records.slice(0, count);
    const next = records.length > count ? visible.at(-1)?.address : undefined;
    return { counts, records: visible, ...(next !== undefined && { next }) } satisfies BatchComparison;
  });
  const undoOne = createJsonHandler(async (request) => {
    const { id, state } = await findBatch(request);
    const { dryRun = false, reason } = parseBodyAs(request, 'Undo', UndoRequest, messages.invalidUndo());
    if (state === 'running') throw new FhirError('business-rule', messages.running());
    if (state === 'undone') throw new FhirError('business-rule', messages.undoneAlready());
    const note = reason === undefined || reason.trim() === '' ? undefined : redactNote(reason);
    if (!dryRun && note === undefined && request.principal.seat && workspace.demandsReason())
      throw reasonDemanded();
    const endRun = dryRun ? () => undefined : runningBatches.start(id);
    try {
      return await undoBatch(undo, { batch: id, dryRun, reason: note, actor: request.actor });
    } finally {
      endRun();
    }
  });
  const readRemoved = createJsonHandler(async (request) => {
    const { type, id } = request;
    const removed = isFhirId(id) ? await store.readRemoved(type, id) : undefined;
    if (!removed) throw noSuchRecord(type);
    const { who, ...removal } = removed;
    const { versions } = await store.history(type, { id }, maxVersions);
    return {
      ...removal,
      author: who,
      versions: Array.from(versions, (version) => ({
        version: version.version,
        lastUpdated: version.lastUpdated,
        operation: version.operation,
        author: version.author,
        ...(version.person !== undefined && { person: version.person }),
        ...(version.reason !== undefined && { reason: version.reason }),
        ...('text' in version && { text: version.text }),
      })),
    } satisfies RemovedHistory;
  });
  return [
    { method: 'GET', path: '/app/batches', handler: list },
    { method: 'GET', path: '/app/batches/:id', handler: read },
    { method: 'GET', path: '/app/batches/:id/lines', audit: 'search', handler: readLines },
    { method: 'POST', path: '/app/batches/:id/lines', body: true, handler: addLines },
    { method: 'GET', path: '/app/batches/:id/compared', audit: 'search', handler: compare },
    { method: 'POST', path: '/app/batches/:id/undo', audit: 'update', body: true, handler: undoOne },
    { method: 'GET', path: '/app/removed/:type/:id', audit: 'read', handler: readRemoved },
  ];
}

/** Converts a stored line to the line of an import report. */
function toLine({ position, result, name, detail }: BatchLineRow): BatchLine {
  return {
    ...(JSON.parse(detail) as Omit<ImportLine, 'result'>),
    position,
    result,
    ...(name && { record: `${name.type}/${name.id}` }),
  };
}

type QueryValues<Name extends string> = Readonly<Partial<Record<Exclude<Name, 'count'>, string>>> & {
  readonly count: number;
};

/** Reads parameters with these names, each at most once. */
function readQuery<Name extends string>(
  pairs: ApiRequest['query'],
  names: readonly Name[],
): QueryValues<Name> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!names.includes(name as Name) || values.has(name)) throw createInvalid(name);
    values.set(name, value);
  }
  const count = values.get('count') ?? String(pageSizes.usual);
  if (!/^[1-9][0-9]{0,3}$/.test(count) || Number(count) > pageSizes.most) throw createInvalid('count');
  return { ...Object.fromEntries(values), count: Number(count) } as unknown as QueryValues<Name>;
}

function parseCursor(text: string): BatchCursor {
  const [, time, id = ''] = /^([0-9]{1,15}):(.*)$/s.exec(text) ?? [];
  if (time === undefined || !isBatchId(id)) throw createInvalid('after');
  return { time: Number(time), id };
}

function parsePosition(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw createInvalid('after');
}

function createInvalid(name: string): FhirError {
  return new FhirError('value', { ...messages.invalidQuery(), location: `http.${name}` });
}
