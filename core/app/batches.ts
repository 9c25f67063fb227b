/** Data of `/app/batches`: imports as batches that can be listed, filtered by, compared and undone. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { authorshipMembers, maxReasonLength, reasonedMembers } from './authorship.ts';
import { ImportLine, importForms, importResults, type ImportResult } from './transfer.ts';

/** `stopped` until the last request of an import has ended. */
export const batchStates = ['running', 'stopped', 'done', 'undone'] as const;
export type BatchState = (typeof batchStates)[number];

const ResultCounts = v.object(v.entriesFromList(importResults, v.number()));

export const ImportBatch = v.object({
  /** UUID of the batch. */
  id: v.string(),
  /** Empty if nobody named it. */
  name: v.string(),
  form: v.picklist(importForms),
  /** Instant of its start. */
  time: v.string(),
  ...authorshipMembers,
  state: v.picklist(batchStates),
  /** Instant of its end. Absent until then. */
  ended: v.exactOptional(v.string()),
  /** Number of entries by result. */
  counts: ResultCounts,
  undone: v.exactOptional(
    v.object({ time: v.string(), ...authorshipMembers, reason: v.exactOptional(v.string()) }),
  ),
});
export type ImportBatch = Shape<typeof ImportBatch>;

export const ImportBatches = v.object({
  /** Latest first. */
  batches: v.array(ImportBatch),
  /** Cursor of the next page. Absent on the last. */
  next: v.exactOptional(v.string()),
});
export type ImportBatches = Shape<typeof ImportBatches>;

/** State of the records that a batch stored. */
export const BatchRecords = v.object({
  /** Records whose current version is the one of the batch. */
  asImported: v.number(),
  changed: v.number(),
  /** Records that a batch's undo removed. */
  removed: v.number(),
  /** Records with issues. */
  withIssues: v.number(),
});
export type BatchRecords = Shape<typeof BatchRecords>;

export const ImportBatchDetail = v.object({ ...ImportBatch.entries, records: BatchRecords });
export type ImportBatchDetail = Shape<typeof ImportBatchDetail>;

export const BatchLine = v.object({ ...ImportLine.entries, position: v.number() });
export type BatchLine = Shape<typeof BatchLine>;

export const BatchLines = v.object({ lines: v.array(BatchLine), next: v.exactOptional(v.string()) });
export type BatchLines = Shape<typeof BatchLines>;

/** Body of `POST /app/batches/{id}/lines`: entries that an importing page could not read, and whether the import is complete. */
export const NewBatchLines = v.strictObject({
  lines: v.pipe(
    v.array(v.object({ ...ImportLine.entries, result: v.picklist(['refused', 'skipped']) })),
    v.maxLength(10_000),
  ),
  done: v.exactOptional(v.boolean()),
});
export type NewBatchLines = Shape<typeof NewBatchLines>;

/** A record of a batch that is in another state now. */
const NamedRecord = v.object({ type: v.string(), id: v.string(), version: v.exactOptional(v.number()) });

/** Differences that a comparison of two batches lists. */
export const differenceKinds = ['new', 'gone', 'different'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** Differences between two batches by the addresses that their records came with. */
export const BatchComparison = v.object({
  counts: v.object(v.entriesFromList([...differenceKinds, 'same'], v.number())),
  records: v.array(
    v.object({
      kind: v.picklist(differenceKinds),
      /** Address in both batches: `CarePlan/7` or an absolute one. */
      address: v.string(),
      /** Record of this batch, absent for `gone`; and of the other one, absent for `new`. */
      record: v.exactOptional(v.string()),
      other: v.exactOptional(v.string()),
    }),
  ),
  next: v.exactOptional(v.string()),
});
export type BatchComparison = Shape<typeof BatchComparison>;

/** Body of `POST /app/batches/{id}/undo`. */
export const UndoRequest = v.strictObject({
  dryRun: v.exactOptional(v.boolean()),
  reason: v.exactOptional(v.pipe(v.string(), v.maxLength(maxReasonLength))),
});
export type UndoRequest = Shape<typeof UndoRequest>;

/** Maximum number of records that the result of an undo names. */
export const maxNamedRecords = 1000;

/** Result of an undo, or its dry run. */
export const UndoResult = v.object({
  /** New records that are unchanged since. */
  removed: v.number(),
  /** Records that are unchanged since and go back to the version before. */
  restored: v.number(),
  /** Records that stay because they changed since. */
  changed: v.number(),
  /** The first of these. */
  changedRecords: v.array(NamedRecord),
  /** Related resources that nothing else refers to. */
  resourcesRemoved: v.number(),
  /** Related resources that go back to their former text. */
  resourcesRestored: v.number(),
  /** Related resources that stay. */
  resourcesKept: v.number(),
});
export type UndoResult = Shape<typeof UndoResult>;

export function createResultCounts(counts: ReadonlyMap<string, number>): Record<ImportResult, number> {
  return Object.fromEntries(importResults.map((result) => [result, counts.get(result) ?? 0])) as Record<
    ImportResult,
    number
  >;
}

/** `GET /app/removed/{type}/{id}`: how a record was removed, and its versions, latest first. */
export const RemovedHistory = v.object({
  /** Number of the last version. */
  version: v.number(),
  time: v.string(),
  ...reasonedMembers,
  versions: v.array(
    v.object({
      version: v.number(),
      lastUpdated: v.string(),
      operation: v.string(),
      ...reasonedMembers,
      /** Exact JSON. Absent if it is damaged. */
      text: v.exactOptional(v.string()),
    }),
  ),
});
export type RemovedHistory = Shape<typeof RemovedHistory>;
