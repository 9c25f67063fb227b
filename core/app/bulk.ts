/**
 * What page and server say to each other of `/app/bulk`: runs that replace elements in many records. The page does the
 * work and the server keeps it, so that a run goes on after a crash. Values of records are not kept, new ones are.
 */
import { isResourceType, type ResourceType } from '../fhir/resource.ts';
import type { NamedRecord } from './session.ts';
import type { QualityFilter } from './quality.ts';

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
export type BulkToOpen = { readonly source: BulkSource } | { readonly run: string };

/** One replacement, in every record of a run. */
export interface BulkOperation {
  /** JSON Pointer; `*` in the place of an array's index stands for each of its items. */
  readonly path: string;
  /** JSON text of the new value. */
  readonly value: string;
  /** JSON text that must stand there; any where absent. */
  readonly now?: string;
}

/**
 * What a record of a run came to. From the dry run: `ready` to be sent, `unchanged`, `cannot` be patched, would be
 * `refused`, or not read (`unread`). From the run: `done`, `changed` by someone else meanwhile, `failed`.
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
  'failed',
] as const;
export type TargetState = (typeof targetStates)[number];

/** A record of a run. */
export interface BulkTarget {
  readonly type: ResourceType;
  readonly id: string;
  readonly title: string;
  readonly state: TargetState;
  /** The version that was looked at, or written. */
  readonly version?: number;
  /** ETag of that version, as the server gave it. */
  readonly etag?: string;
  /** Why, in a sentence. */
  readonly detail?: string;
}

export const runStates = ['running', 'stopped', 'finished'] as const;
export type RunState = (typeof runStates)[number];

/** What `POST /app/bulk` takes. */
export interface NewBulkRun {
  /** What the records are: a search or a rule, in words. */
  readonly label: string;
  readonly operations: readonly BulkOperation[];
}

export interface BulkRun extends NewBulkRun {
  readonly id: string;
  readonly state: RunState;
  /** Instants, UTC. */
  readonly created: string;
  readonly updated: string;
  readonly counts: Readonly<Partial<Record<TargetState, number>>>;
}

/** A target with its place in the run, from 0. */
export interface PlacedTarget extends BulkTarget {
  readonly place: number;
}

/** `GET /app/bulk/{id}/targets`. */
export interface BulkPage {
  readonly targets: readonly PlacedTarget[];
  /** `after` of the next page; absent on the last. */
  readonly next?: number;
}

export const bulkLimits = { operations: 20, targetsAtOnce: 1000, page: 1000, text: 2000, runs: 50 } as const;

export function isNewBulkRun(value: unknown): value is NewBulkRun {
  return (
    isObject(value) &&
    isText(value.label) &&
    Array.isArray(value.operations) &&
    value.operations.length > 0 &&
    value.operations.length <= bulkLimits.operations &&
    value.operations.every(isOperation)
  );
}

function isOperation(value: unknown): value is BulkOperation {
  return (
    isObject(value) &&
    typeof value.path === 'string' &&
    typeof value.value === 'string' &&
    (value.now === undefined || typeof value.now === 'string')
  );
}

export function isBulkRun(value: unknown): value is BulkRun {
  return isObject(value) && typeof value.id === 'string' && isObject(value.counts) && isNewBulkRun(value);
}

export function isBulkRuns(value: unknown): value is readonly BulkRun[] {
  return Array.isArray(value) && value.every(isBulkRun);
}

/** The body of `POST /app/bulk/{id}/targets`: targets that are new, or whose state is. */
export function isPlacedTargets(value: unknown): value is readonly PlacedTarget[] {
  return (
    Array.isArray(value) && value.length <= bulkLimits.targetsAtOnce && value.every((one) => isPlaced(one))
  );
}

export function isBulkPage(value: unknown): value is BulkPage {
  return isObject(value) && Array.isArray(value.targets) && value.targets.every((one) => isPlaced(one));
}

function isPlaced(value: unknown): value is PlacedTarget {
  return (
    isObject(value) &&
    isWhole(value.place) &&
    typeof value.type === 'string' &&
    isResourceType(value.type) &&
    isText(value.id) &&
    isText(value.title) &&
    targetStates.some((state) => state === value.state) &&
    (value.version === undefined || isWhole(value.version)) &&
    (value.etag === undefined || isText(value.etag)) &&
    (value.detail === undefined || isText(value.detail))
  );
}

export function isRunState(value: unknown): value is RunState {
  return runStates.some((state) => state === value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= bulkLimits.text;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
