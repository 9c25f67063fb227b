/** Data of `/app/import` and `/app/export`. */
import * as v from 'valibot';
import { validationLevels, type ValidationLevel } from '../fhir/validation/levels.ts';
import { isBatchId } from '../fhir/origin.ts';
import { parseAs, type Shape } from '../json/shape.ts';
import { SentParameters } from './coded-message.ts';

/** Media types of an import: JSON of any shape, a JSON text per line, FHIR XML, or one of these packed (row 106). */
export const importTypes = {
  json: ['application/json', 'application/fhir+json'],
  lines: ['application/x-ndjson', 'application/ndjson', 'application/fhir+ndjson'],
  xml: ['application/fhir+xml'],
  gzip: ['application/gzip'],
  zip: ['application/zip'],
} as const;

/** Media type of an import report and of an export: one JSON object a line. */
export const lineType = 'application/x-ndjson; charset=utf-8';

/** Query of `POST /app/import`. */
export interface ImportSettings {
  readonly keepIds: boolean;
  readonly dryRun: boolean;
  /** Absent for the level of the server. */
  readonly level?: ValidationLevel;
  /** UUID of an import in several requests, so that what they bring belongs together. Absent for a single request. */
  readonly batch?: string;
  /** Name of the batch, such as that of its file. */
  readonly name?: string;
  /** Means of the import. Absent for `http`. */
  readonly form?: ImportForm;
  /** True if further requests of the batch follow. It counts as stopped until the last one has ended. */
  readonly more?: boolean;
}

/** Means of an import. */
export const importForms = ['page', 'command', 'http'] as const;
export type ImportForm = (typeof importForms)[number];

/** Maximum length of the name of a batch in characters. */
export const maxBatchNameLength = 200;

/** Results of a record in an import. `kept` and `replaced` are for supporting resources. */
export const importResults = ['stored', 'unchanged', 'refused', 'skipped', 'kept', 'replaced'] as const;
export type ImportResult = (typeof importResults)[number];

/** Returns zero counts of an import. */
export function createImportCounts(): Record<ImportResult, number> {
  return { stored: 0, unchanged: 0, refused: 0, skipped: 0, kept: 0, replaced: 0 };
}

/** Line of an import report about one record. */
export const ImportLine = v.object({
  /** Line of NDJSON or number of the Bundle entry, from 1; absent for a single record. */
  place: v.exactOptional(v.number()),
  /** Path in nested Bundles, Parameters or arrays, such as `entry[3].resource.entry[0].resource`. */
  path: v.exactOptional(v.string()),
  /** Name of the file in a zip file. */
  file: v.exactOptional(v.string()),
  result: v.picklist(importResults),
  /** Reason of a rejection, or the skipped type. */
  reason: v.exactOptional(v.string()),
  /** Code of the first message, for readers in another language. */
  messageCode: v.exactOptional(v.string()),
  parameters: v.exactOptional(SentParameters),
  /** FHIRPath of the element of the message. */
  expression: v.exactOptional(v.string()),
  /** Count of further problems of the record. */
  more: v.exactOptional(v.number()),
  /** True if only rules rejected the record. The level `off` stores it with its issues. */
  storable: v.exactOptional(v.literal(true)),
  /** Resulting record or supporting resource: `CarePlan/17`; absent if a dry run cannot know its id. */
  record: v.exactOptional(v.string()),
  /** Count of findings; absent for none. */
  issues: v.exactOptional(v.number()),
  /** Count of links that were rewritten to records of the import; absent for none. */
  links: v.exactOptional(v.number()),
  /** The first of these links: the reference as it came, and as it is stored. */
  rewritten: v.exactOptional(v.array(v.object({ from: v.string(), to: v.string() }))),
});
export type ImportLine = Shape<typeof ImportLine>;

/** Instants of the first and last stored version, for a search by `_lastUpdated`. */
const StoredSpan = v.object({ first: v.string(), last: v.string() });
export type StoredSpan = Shape<typeof StoredSpan>;

/** Last line of an import report. It is missing if the import was interrupted. */
export const ImportEnd = v.object({
  done: v.object(v.entriesFromList(importResults, v.number())),
  /** Counts of stored supporting resources by type; absent for none. */
  companions: v.exactOptional(v.record(v.string(), v.number())),
  /** Count of rewritten links; absent for none. */
  links: v.exactOptional(v.number()),
  /** Absent if nothing was stored. */
  span: v.exactOptional(StoredSpan),
  /** UUID of the batch. Absent after a dry run. */
  batch: v.exactOptional(v.string()),
});
export type ImportEnd = Shape<typeof ImportEnd>;

const flags: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Parses a line of an import report; undefined for other text. */
export function readReportLine(line: string): ImportLine | ImportEnd | undefined {
  return parseAs(v.union([ImportLine, ImportEnd]), line);
}

/** Formats the query of an import. {@link readImportSettings} parses it. */
export function formatImportSettings({ keepIds, dryRun, ...settings }: ImportSettings): string {
  const { level, batch, name, form, more } = settings;
  const values = Object.entries({ keepIds, dryRun, level, batch, name, form, more });
  return values
    .flatMap(([member, value]) => (value === undefined ? [] : `${member}=${encodeURIComponent(value)}`))
    .join('&');
}

/** Parses the query of an import; undefined for an unknown name or value. */
export function readImportSettings(
  pairs: readonly (readonly [string, string])[],
): ImportSettings | undefined {
  let settings: ImportSettings = { keepIds: false, dryRun: false };
  for (const [name, value] of pairs) {
    const level = validationLevels.find((candidate) => candidate === value);
    const flag = flags[value];
    const form = importForms.find((candidate) => candidate === value);
    if (name === 'level' && level !== undefined) settings = { ...settings, level };
    else if (name === 'batch' && isBatchId(value)) settings = { ...settings, batch: value };
    else if (name === 'name' && value.trim() !== '' && value.length <= maxBatchNameLength)
      settings = { ...settings, name: value.trim() };
    else if (name === 'form' && form !== undefined) settings = { ...settings, form };
    else if ((name === 'keepIds' || name === 'dryRun' || name === 'more') && flag !== undefined)
      settings = { ...settings, [name]: flag };
    else return undefined;
  }
  return settings;
}
