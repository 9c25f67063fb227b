/**
 * What the page and the server's own addresses under `/app` say to each other. Nothing here is FHIR: it serves the
 * workbench alone, and only to the holder of the all-scopes token.
 */
import * as v from 'valibot';
import { judgedState, rebuildState, type JudgedState, type RebuildState } from './rebuild.ts';
import { validationLevels, type ValidationLevel } from '../fhir/validation/levels.ts';

/** `GET /app/overview`: what the store holds, for the connection bar and the first start. */
export interface Overview {
  readonly version: string;
  /** How strictly the server judges what is written. */
  readonly level: ValidationLevel;
  readonly counts: Readonly<Record<string, number>>;
  /** Subjects with the newest records, for someone who knows no id yet. */
  readonly subjects: readonly SubjectCount[];
  /** How far what is derived of the records is made anew. */
  readonly rebuild: RebuildState;
  /** When the records were judged, and by which rules. */
  readonly judged: JudgedState;
}

export interface SubjectCount {
  readonly id: string;
  readonly records: number;
}

/** `POST /app/demo`: what loading the demo clinic did. */
export interface DemoLoaded {
  readonly stored: number;
  readonly unchanged: number;
}

export function isOverview(value: unknown): value is Overview {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    typeof value.version === 'string' &&
    'level' in value &&
    validationLevels.some((level) => level === value.level) &&
    'counts' in value &&
    typeof value.counts === 'object' &&
    'subjects' in value &&
    Array.isArray(value.subjects) &&
    'rebuild' in value &&
    v.is(rebuildState, value.rebuild) &&
    'judged' in value &&
    v.is(judgedState, value.judged)
  );
}

export function isDemoLoaded(value: unknown): value is DemoLoaded {
  return (
    typeof value === 'object' &&
    value !== null &&
    'stored' in value &&
    typeof value.stored === 'number' &&
    'unchanged' in value &&
    typeof value.unchanged === 'number'
  );
}
