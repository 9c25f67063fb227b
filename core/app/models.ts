/**
 * What the page and the server's own addresses under `/app` say to each other. Nothing here is FHIR: it serves the
 * workbench alone, and only to the holder of the all-scopes token.
 */
import { validationLevels, type ValidationLevel } from '../fhir/validation/levels.ts';

/** `GET /app/overview`: what the store holds, for the connection bar and the first start. */
export interface Overview {
  readonly version: string;
  /** How strictly the server judges what is written. */
  readonly level: ValidationLevel;
  readonly counts: Readonly<Record<string, number>>;
  /** Subjects with the newest records, for someone who knows no id yet. */
  readonly subjects: readonly SubjectCount[];
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
    Array.isArray(value.subjects)
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
