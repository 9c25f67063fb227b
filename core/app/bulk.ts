/**
 * What page and server say to each other of `/app/bulk`: runs that replace elements in many records. The page does the
 * work and the server keeps it, so that a run goes on after a crash. Values of records are not kept, new ones are.
 */
import * as v from 'valibot';
import { resourceTypes, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import type { NamedRecord } from './session.ts';
import type { QualityFilter } from './quality.ts';

export const bulkLimits = { operations: 20, targetsAtOnce: 1000, page: 1000, text: 2000, runs: 50 } as const;

const Text = v.pipe(v.string(), v.maxLength(bulkLimits.text));
const Whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Where the records of a run come from. */
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
      /** Where most findings are, as an operation's path. */
      readonly path?: string;
    }
  /** Named one by one: what the page itself found on another server. */
  | {
      readonly kind: 'records';
      readonly records: readonly NamedRecord[];
      readonly label: string;
      readonly path?: string;
    };

/** What a bulk sheet is opened on: records to replace in, or a kept run to go on with. */
export type BulkToOpen =
  | { readonly source: BulkSource }
  | { readonly run: string; /** To be asked whether. */ readonly undo?: true };

/** The elements that an operation is about. */
const where = {
  /** JSON Pointer; `*` in the place of an array's index stands for each of its items. */
  path: v.string(),
  /** JSON text that must stand there; any where absent. */
  now: v.exactOptional(v.string()),
};

/** One change, in every record of a run. */
const BulkOperation = v.union([
  /** The same value everywhere, as JSON text. */
  v.object({ kind: v.exactOptional(v.literal('replace')), ...where, value: v.string() }),
  /** What a FHIRPath expression makes of each element: one text, or yes or no. */
  v.object({ kind: v.literal('compute'), ...where, expression: Text }),
  /** A quick fix, by its id, of every finding that it mends; `words` say which way is taken, where one was chosen. */
  v.object({ kind: v.literal('fix'), fix: Text, words: v.exactOptional(Text) }),
]);
export type BulkOperation = Shape<typeof BulkOperation>;
export type ReplaceOperation = Extract<BulkOperation, { readonly value: string }>;
export type ComputeOperation = Extract<BulkOperation, { readonly kind: 'compute' }>;

/**
 * What a record of a run came to. From the dry run: `ready` to be sent, `unchanged`, `cannot` be patched, would be
 * `refused`, or not read (`unread`). From the run: `done`, `changed` by someone else meanwhile, `gone` (deleted or
 * erased before it could be put back), `failed`.
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

const HeldVersion = v.object({
  /** The version that was looked at, or written. */
  version: v.exactOptional(Whole),
  /** ETag of that version, as the server gave it. */
  etag: v.exactOptional(Text),
});

/** A record of a run, and its place there, from 0. */
const PlacedTarget = v.object({
  place: Whole,
  type: v.picklist(resourceTypes),
  id: Text,
  title: Text,
  state: v.picklist(targetStates),
  ...HeldVersion.entries,
  /**
   * The version that the written one replaced, which an undo puts back; of a record of an undo, the one to put back; of
   * what somebody changed meanwhile, the one that the dry run saw.
   */
  before: v.exactOptional(HeldVersion),
  /** Why, in a sentence. */
  detail: v.exactOptional(Text),
});
export type PlacedTarget = Shape<typeof PlacedTarget>;
export type BulkTarget = Omit<PlacedTarget, 'place'>;

/** The body of `POST /app/bulk/{id}/targets`: targets that are new, or whose state is. */
export const PlacedTargets = v.pipe(v.array(PlacedTarget), v.maxLength(bulkLimits.targetsAtOnce));

/** `PUT /app/bulk/{id}`. */
export const BulkTurn = v.object({ state: v.picklist(['running', 'stopped', 'finished']) });
export type RunState = Shape<typeof BulkTurn>['state'];

/** What `POST /app/bulk` takes: a run of operations, whose targets follow, ... */
export const NewBulkRun = v.object({
  /** What the records are: a search or a rule, in words. */
  label: Text,
  operations: v.pipe(v.array(BulkOperation), v.minLength(1), v.maxLength(bulkLimits.operations)),
});
export type NewBulkRun = Shape<typeof NewBulkRun>;

/** ... or the undo of a run: its targets are what that run wrote. */
export const NewUndo = v.object({ label: Text, undoes: v.string() });
export type NewUndo = Shape<typeof NewUndo>;

/** What is kept of a run as it was asked for. */
export const AskedRun = v.object({ label: Text, operations: v.array(BulkOperation) });

export const BulkRun = v.object({
  /** Of an undo none. */
  ...AskedRun.entries,
  ...BulkTurn.entries,
  id: v.string(),
  /** The run that this one undoes. */
  undoes: v.exactOptional(v.string()),
  /** The run that undoes this one, how many records it put back, and whether it stands: an undo can be undone itself. */
  undo: v.exactOptional(v.object({ run: v.string(), done: v.number(), stands: v.boolean() })),
  /** How many of its records were erased since; nothing else is kept of them. */
  erased: v.exactOptional(v.number()),
  /** Instants, UTC. */
  created: v.string(),
  updated: v.string(),
  counts: v.object(v.entriesFromList(targetStates, v.exactOptional(v.number()))),
});
export type BulkRun = Shape<typeof BulkRun>;

/** Of the records that a run was to write: how many came back, and how many there are. */
export function sentOf({ done = 0, changed = 0, gone = 0, failed = 0, ready = 0 }: BulkRun['counts']) {
  const sent = done + changed + gone + failed;
  return { sent, of: sent + ready };
}

/** `GET /app/bulk`: newest first. */
export const BulkRunList = v.array(BulkRun);

/** `GET /app/bulk/{id}/targets`. */
export const BulkPage = v.object({
  targets: v.array(PlacedTarget),
  /** `after` of the next page; absent on the last. */
  next: v.exactOptional(v.number()),
});
export type BulkPage = Shape<typeof BulkPage>;
