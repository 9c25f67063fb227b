/** What page and server say to each other of `/app/import` and `/app/export`. */
import * as v from 'valibot';
import { validationLevels, type ValidationLevel } from '../fhir/validation/levels.ts';
import { parseAs, type Shape } from '../json/shape.ts';

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

/** What can become of one record of an import; `kept` and `replaced` are companions of records. */
export const importResults = ['stored', 'unchanged', 'refused', 'skipped', 'kept', 'replaced'] as const;
export type ImportResult = (typeof importResults)[number];

/** Counts of an import that begins. */
export function noneImported(): Record<ImportResult, number> {
  return { stored: 0, unchanged: 0, refused: 0, skipped: 0, kept: 0, replaced: 0 };
}

/** One line of an import's report: what became of one record. */
const ImportLine = v.object({
  /** Line of NDJSON or number of the Bundle's entry, from 1; absent for a record alone. */
  place: v.exactOptional(v.number()),
  result: v.picklist(importResults),
  /** Why it was refused, or which type was skipped. */
  reason: v.exactOptional(v.string()),
  /** The record or companion that is there now, or would be: `CarePlan/17`; absent where a dry run cannot know its id. */
  record: v.exactOptional(v.string()),
  /** How many findings it is flagged with; absent where there is none. */
  issues: v.exactOptional(v.number()),
});
export type ImportLine = Shape<typeof ImportLine>;

/** Instants of the first version that was stored and of the last one: a search by `_lastUpdated` finds them. */
const StoredSpan = v.object({ first: v.string(), last: v.string() });
export type StoredSpan = Shape<typeof StoredSpan>;

/** The last line of an import's report; where it is missing, the import was cut off. */
const ImportEnd = v.object({
  done: v.object(v.entriesFromList(importResults, v.number())),
  /** How many of each type were kept as companions; absent where none was. */
  companions: v.exactOptional(v.record(v.string(), v.number())),
  /** Absent where none was stored. */
  span: v.exactOptional(StoredSpan),
});
export type ImportEnd = Shape<typeof ImportEnd>;

const flags: Readonly<Record<string, boolean>> = { true: true, false: false };

/** A line of an import's report, parsed; undefined where it is none. */
export function readReportLine(line: string): ImportLine | ImportEnd | undefined {
  return parseAs(v.union([ImportLine, ImportEnd]), line);
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
