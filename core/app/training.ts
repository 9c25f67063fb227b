/** What page and server say to each other of `/app/training`. */
import { isResourceType, type ResourceType } from '../fhir/resource.ts';

export const trainingSets = ['clean', 'migration', 'busy'] as const;
export type TrainingSet = (typeof trainingSets)[number];

/** What was planted in a record of the migration, and where it is found. */
export interface TrainingDefect {
  readonly type: ResourceType;
  readonly id: string;
  /** What the record was called before. */
  readonly title: string;
  /** Id of a rule of core/fhir/validation. */
  readonly rule: string;
  /** JSON Pointer of the element. */
  readonly pointer: string;
}

/** A set, and how much of it the store holds. */
export interface SetState {
  readonly set: TrainingSet;
  /** Records of the set. */
  readonly records: number;
  /** How many of them are stored, in whatever version. */
  readonly loaded: number;
}

/** A record that the busy ward works on. */
export interface WardRecord {
  readonly type: ResourceType;
  readonly id: string;
  readonly title: string;
}

/** The busy ward's writer. */
export interface WriterState {
  readonly running: boolean;
  /** Seconds between two changes. */
  readonly seconds: number;
  /** Changes since it was started. */
  readonly changes: number;
  /** What it changed last, and when (an instant). */
  readonly last?: WardRecord & { readonly version: number; readonly at: string };
  /** Why it stopped by itself. */
  readonly problem?: string;
}

/** `GET /app/training`. */
export interface TrainingState {
  readonly seed: number;
  readonly sets: readonly SetState[];
  /** Records in the store, and how many of them are of no set. */
  readonly total: number;
  readonly others: number;
  /** The records that the busy ward takes in turn. */
  readonly ward: readonly WardRecord[];
  readonly writer: WriterState;
}

/** `POST /app/training/{set}`. */
export interface TrainingLoaded {
  readonly stored: number;
  readonly unchanged: number;
}

/** `POST /app/training/reset`: how many records that are of no set the asker knows to lose. */
export interface TrainingReset {
  readonly others: number;
}

/** What a reset did. */
export interface TrainingEmptied {
  readonly removed: number;
  /** The copy of the database as it was, in the data folder. */
  readonly backup: { readonly path: string; readonly bytes: number };
}

/** `POST /app/training/writer`. */
export interface WriterRequest {
  readonly seconds: number;
}

/** Author of the busy ward's versions. */
export const wardAuthor = 'busy-ward';

export const writerSeconds = { least: 1, most: 60, usual: 5 } as const;

export function isTrainingSet(value: unknown): value is TrainingSet {
  return trainingSets.some((one) => one === value);
}

export function isTrainingReset(value: unknown): value is TrainingReset {
  return hasNumbers(value, ['others']);
}

export function isWriterRequest(value: unknown): value is WriterRequest {
  if (!hasNumbers(value, ['seconds'])) return false;
  const seconds = Number(value.seconds);
  return Number.isInteger(seconds) && seconds >= writerSeconds.least && seconds <= writerSeconds.most;
}

export function isTrainingState(value: unknown): value is TrainingState {
  return (
    hasNumbers(value, ['seed', 'total', 'others']) &&
    Array.isArray(value.sets) &&
    value.sets.every((one) => hasNumbers(one, ['records', 'loaded']) && isTrainingSet(one.set)) &&
    Array.isArray(value.ward) &&
    value.ward.every(isWardRecord) &&
    isWriterState(value.writer)
  );
}

export function isTrainingEmptied(value: unknown): value is TrainingEmptied {
  return (
    hasNumbers(value, ['removed']) &&
    hasNumbers(value.backup, ['bytes']) &&
    typeof value.backup.path === 'string'
  );
}

export function isTrainingDefects(value: unknown): value is readonly TrainingDefect[] {
  return (
    Array.isArray(value) &&
    value.every(
      (one: unknown) =>
        isWardRecord(one) &&
        'rule' in one &&
        typeof one.rule === 'string' &&
        'pointer' in one &&
        typeof one.pointer === 'string',
    )
  );
}

export function isWriterState(value: unknown): value is WriterState {
  return hasNumbers(value, ['seconds', 'changes']) && typeof value.running === 'boolean';
}

function isWardRecord(value: unknown): value is WardRecord {
  return (
    isMembers(value) &&
    typeof value.type === 'string' &&
    isResourceType(value.type) &&
    typeof value.id === 'string' &&
    typeof value.title === 'string'
  );
}

function hasNumbers(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return isMembers(value) && names.every((name) => typeof value[name] === 'number');
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
