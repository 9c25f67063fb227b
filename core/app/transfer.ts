/** What page and server say to each other of `/app/import` and `/app/export`. */
import { validationLevels, type ValidationLevel } from '../fhir/validation/levels.ts';

/** Media types that an import takes: one record or a Bundle, or a record a line. */
export const importTypes = {
  json: ['application/json', 'application/fhir+json'],
  lines: ['application/x-ndjson', 'application/ndjson', 'application/fhir+ndjson'],
} as const;

/** Media type of an import's report and of an export: one JSON object a line. */
export const lineType = 'application/x-ndjson; charset=utf-8';

/** The query of `POST /app/import`. */
export interface ImportSettings {
  readonly keepIds: boolean;
  readonly dryRun: boolean;
  /** The server's own level where absent. */
  readonly level?: ValidationLevel;
}

/** What can become of one record of an import. */
export const importResults = ['stored', 'unchanged', 'refused', 'skipped'] as const;
export type ImportResult = (typeof importResults)[number];

/** One line of an import's report: what became of one record. */
export interface ImportLine {
  /** Line of NDJSON or number of the Bundle's entry, from 1; absent for a record alone. */
  readonly place?: number;
  readonly result: ImportResult;
  /** Why it was refused, or which type was skipped. */
  readonly reason?: string;
}

/** The last line of an import's report; where it is missing, the import was cut off. */
export interface ImportEnd {
  readonly done: Readonly<Record<ImportResult, number>>;
}

const flags: Readonly<Record<string, boolean>> = { true: true, false: false };

/** A line of an import's report, parsed; undefined where it is none. */
export function readReportLine(line: string): ImportLine | ImportEnd | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isImportLine(value) || isImportEnd(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isImportLine(value: unknown): value is ImportLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'result' in value &&
    importResults.some((one) => one === value.result) &&
    (!('place' in value) || typeof value.place === 'number') &&
    (!('reason' in value) || typeof value.reason === 'string')
  );
}

function isImportEnd(value: unknown): value is ImportEnd {
  return typeof value === 'object' && value !== null && 'done' in value && typeof value.done === 'object';
}

/** The query of an import, as {@link readImportSettings} reads it. */
export function formatImportSettings({ keepIds, dryRun, level }: ImportSettings): string {
  return `keepIds=${keepIds}&dryRun=${dryRun}${level === undefined ? '' : `&level=${level}`}`;
}

/** Reads the query of an import; undefined where a name or a value is not known. */
export function readImportSettings(
  pairs: readonly (readonly [string, string])[],
): ImportSettings | undefined {
  let settings: ImportSettings = { keepIds: false, dryRun: false };
  for (const [name, value] of pairs) {
    const level = validationLevels.find((one) => one === value);
    const flag = flags[value];
    if (name === 'level' && level !== undefined) settings = { ...settings, level };
    else if ((name === 'keepIds' || name === 'dryRun') && flag !== undefined)
      settings = { ...settings, [name]: flag };
    else return undefined;
  }
  return settings;
}
