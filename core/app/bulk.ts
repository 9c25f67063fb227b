/**
 * Data of `/app/bulk`: runs that replace elements in many records. The page does the work and the server
 * stores the progress, so that a run continues after a crash. The server stores new values, never old ones.
 */
import * as v from 'valibot';
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import type { NamedRecord } from './session.ts';
import type { QualityFilter } from './quality.ts';

export const bulkLimits = { operations: 20, targetsAtOnce: 1000, page: 1000, text: 2000, runs: 50 } as const;

const Text = v.pipe(v.string(), v.maxLength(bulkLimits.text));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export type BulkSource =
  | {
      readonly kind: 'search';
      readonly type: ResourceType;
      readonly pairs: readonly (readonly [name: string, value: string])[];
      readonly label: string;
    }
  | {
      readonly kind: 'quality';
      readonly filter: QualityFilter;
      readonly label: string;
      /** Path of an operation, chosen by the element with most findings. */
      readonly path?: string;
    }
  /** A list of records that the page found on another server. */
  | {
      readonly kind: 'records';
      readonly records: readonly NamedRecord[];
      readonly label: string;
      readonly path?: string;
    };

/** Input of a bulk sheet: records, or a stored run. */
export type BulkToOpen =
  | { readonly source: BulkSource }
  | { readonly run: string; /** Asks before an undo. */ readonly undo?: true };

/** Elements of an operation. */
const where = {
  /** JSON Pointer; `*` stands for every array index. */
  path: v.string(),
  /** JSON text that the element must have; absent for any. */
  now: v.exactOptional(v.string()),
};

const BulkOperation = v.union([
  /** The same value everywhere, as JSON text. */
  v.object({ kind: v.exactOptional(v.literal('replace')), ...where, value: v.string() }),
  /** FHIRPath expression that computes each element: one text or a Boolean. */
  v.object({ kind: v.literal('compute'), ...where, expression: Text }),
  /** Quick fix, by its id, for every finding that it resolves. `words` describes the chosen fix option. */
  v.object({ kind: v.literal('fix'), fix: Text, words: v.exactOptional(Text) }),
]);
export type BulkOperation = Shape<typeof BulkOperation>;
export type ReplaceOperation = Extract<BulkOperation, { readonly value: string }>;
export type ComputeOperation = Extract<BulkOperation, { readonly kind: 'compute' }>;

/**
 * State of a record in a run. From the dry run: `ready` to send, `unchanged`, `cannot` be patched, would be
 * `refused`, or failed to load (`unread`). From the run: `done`, `changed` by someone else, `gone` (deleted
 * or erased before an undo), or `failed`.
 */
export const targetStates = [
  'waiting',
  'ready',
  'unchanged',
  'cannot',
  'refused',
  'unread',
  'done',
  'changed',
  'gone',
  'failed',
] as const;
export type TargetState = (typeof targetStates)[number];

const TargetVersion = v.object({
  /** Version that was read or written. */
  version: v.exactOptional(Count),
  /** ETag of that version as the server sent it. */
  etag: v.exactOptional(Text),
});

/** Record of a run and its index in the run, from 0. */
const PlacedTarget = v.object({
  place: Count,
  type: v.picklist(resourceTypes),
  id: Text,
  title: Text,
  state: v.picklist(targetStates),
  ...TargetVersion.entries,
  /**
   * Version that the write replaced, for an undo. For a record of an undo: the version to restore. For a
   * record that someone else changed: the version of the dry run.
   */
  before: v.exactOptional(TargetVersion),
  detail: v.exactOptional(Text),
});
export type PlacedTarget = Shape<typeof PlacedTarget>;
export type BulkTarget = Omit<PlacedTarget, 'place'>;

/** Body of `POST /app/bulk/{id}/targets`: targets that are new or have a new state. */
export const PlacedTargets = v.pipe(v.array(PlacedTarget), v.maxLength(bulkLimits.targetsAtOnce));

/** `PUT /app/bulk/{id}`. */
export const BulkTurn = v.object({ state: v.picklist(['running', 'stopped', 'finished']) });
export type RunState = Shape<typeof BulkTurn>['state'];

/** Body of `POST /app/bulk` for a new run. Its targets follow. */
export const NewBulkRun = v.object({
  /** Description of the records: a search or a rule. */
  label: Text,
  operations: v.pipe(v.array(BulkOperation), v.minLength(1), v.maxLength(bulkLimits.operations)),
});
export type NewBulkRun = Shape<typeof NewBulkRun>;

/** Body of `POST /app/bulk` for an undo. Its targets are the records that the run wrote. */
export const NewUndo = v.object({ label: Text, undoes: v.string() });
export type NewUndo = Shape<typeof NewUndo>;

/** Stored part of the request for a run. */
export const RequestedRun = v.object({ label: Text, operations: v.array(BulkOperation) });

export const BulkRun = v.object({
  /** An undo has no operations. */
  ...RequestedRun.entries,
  ...BulkTurn.entries,
  id: v.string(),
  undoes: v.exactOptional(v.string()),
  /** The undo of this run, its count of restored records, and false in `stands` if the undo was undone. */
  undo: v.exactOptional(v.object({ run: v.string(), done: v.number(), stands: v.boolean() })),
  /** Count of records that were erased later. No other data of them is stored. */
  erased: v.exactOptional(v.number()),
  /** Instants, UTC. */
  created: v.string(),
  updated: v.string(),
  counts: v.object(v.entriesFromList(targetStates, v.exactOptional(v.number()))),
});
export type BulkRun = Shape<typeof BulkRun>;

/** Returns how many records of a run were written or failed, and how many there are. */
export function countSent({
  done = 0,
  changed: changedCount = 0,
  gone: goneCount = 0,
  failed: failedCount = 0,
  ready = 0,
}: BulkRun['counts']) {
  const sentCount = done + changedCount + goneCount + failedCount;
  return { sent: sentCount, of: sentCount + ready };
}

/** `GET /app/bulk`: latest first. */
export const BulkRunList = v.array(BulkRun);

/** `GET /app/bulk/{id}/targets`. */
export const BulkPage = v.object({
  targets: v.array(PlacedTarget),
  /** `after` of the next page; absent on the last. */
  next: v.exactOptional(v.number()),
});
export type BulkPage = Shape<typeof BulkPage>;
