/**
 * Data of `/app/quality`: the worklist of all stored records with findings. Numbers are counts; the page
 * computes shares and sums.
 */
import * as v from 'valibot';
import { isBatchId } from '../fhir/origin.ts';
import { validationLevels } from '../fhir/validation/levels.ts';
import { isResourceType, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { FindingState, findingStates, type FindingStateName } from './findings.ts';
import { NamedRecord } from './session.ts';
import type { Category, Severity } from '../types/definition/rule.ts';

export const categories = [
  'conformance',
  'completeness',
  'plausibility',
] as const satisfies readonly Category[];
export const severities = ['error', 'warning'] as const satisfies readonly Severity[];

/**
 * Keys that group findings: for example the patient, `meta.source`, the author of the current version or its
 * month.
 */
export const groupings = ['record', 'patient', 'rule', 'source', 'author', 'month'] as const;
export type Grouping = (typeof groupings)[number];

/** One group of findings: `month:2026-11`. */
export interface GroupName {
  readonly grouping: Grouping;
  readonly key: string;
}

export function groupText({ grouping, key }: GroupName): string {
  return `${grouping}:${key}`;
}

/** Parses the text of {@link groupText}; undefined if it is invalid. */
export function groupOf(groupName: string): GroupName | undefined {
  const grouping = groupings.find((candidate) => groupName.startsWith(`${candidate}:`));
  return grouping && { grouping, key: groupName.slice(grouping.length + 1) };
}

/** Filter of findings. An absent member does not narrow the list. */
export interface QualityFilter {
  readonly rule?: string;
  readonly category?: Category;
  readonly severity?: Severity;
  readonly type?: ResourceType;
  /** Part of a rule id, a message, a record's title, id or subject, or a pointer. */
  readonly text?: string;
  /** `open` findings are not waived. `assigned` findings are open and have an assignee. */
  readonly state?: FindingStateName;
  readonly assignee?: string;
  /** One group in the form of {@link groupText}. */
  readonly group?: string;
  /** UUID of the import batch that brought the record. */
  readonly batch?: string;
}

/**
 * Returns the initial filter of views that count findings: open findings. Findings of remote servers have no
 * state.
 */
export function openFindings(isRemote: boolean): QualityFilter {
  return isRemote ? {} : { state: 'open' };
}

const QualityCounts = v.object({ records: v.number(), findings: v.number() });
export type QualityCounts = Shape<typeof QualityCounts>;

const QualityGroup = v.object({
  ...QualityCounts.entries,
  rule: v.string(),
  severity: v.picklist(severities),
  category: v.picklist(categories),
  text: v.string(),
  types: v.object(v.entriesFromList(resourceTypes, v.exactOptional(QualityCounts))),
});
export type QualityGroup = Shape<typeof QualityGroup>;

const countByType = v.object(v.entriesFromList(resourceTypes, v.number()));

/** `GET /app/quality`: the rules with findings. */
export const QualityOverview = v.object({
  /** Instant of the counts. */
  computed: v.string(),
  level: v.picklist(validationLevels),
  /** Counts of all records and of the records with an issue, independent of the filter. */
  records: countByType,
  flagged: countByType,
  /** Records with at least one finding that is not waived. */
  open: v.exactOptional(countByType),
  /** Counts of open, assigned and waived findings, independent of the filter. */
  states: v.exactOptional(v.object(v.entriesFromList(findingStates, v.number()))),
  /** Records with undecided profile requirements; absent without profiles. */
  undecided: v.exactOptional(countByType),
  /** Most records first. */
  groups: v.array(QualityGroup),
});
export type QualityOverview = Shape<typeof QualityOverview>;

/** Parameters of a rule's message, for readers in another language. */
const SentenceParameters = v.record(v.string(), v.string());

/** Finding in a record, with the message of a rule or the title of a custom check. */
export const FoundInRecord = v.object({
  rule: v.string(),
  severity: v.picklist(severities),
  category: v.picklist(categories),
  text: v.string(),
  parameters: v.exactOptional(SentenceParameters),
  pointer: v.string(),
});

/**
 * A sample of the other records of a finding, such as records with the same identifier, or the replacing record.
 */
const otherMembers = {
  others: v.exactOptional(v.array(NamedRecord)),
  /** True if there are more records. */
  moreOthers: v.exactOptional(v.literal(true)),
};
const OtherRecords = v.object(otherMembers);
export type OtherRecords = Shape<typeof OtherRecords>;

/** Maximum count of other records named by one finding. */
export const maxOtherRecords = 3;

/** Finding that needs other records or previous versions. Only the store can compute it. */
const StoreFinding = v.object({ ...FoundInRecord.entries, ...otherMembers });
export type StoreFinding = Shape<typeof StoreFinding>;

/** `GET /app/quality/records/{type}/{id}`. */
export const StoreFindings = v.object({
  /** Version with these findings. */
  version: v.number(),
  findings: v.array(StoreFinding),
});
export type StoreFindings = Shape<typeof StoreFindings>;

const QualityFinding = v.object({
  type: v.picklist(resourceTypes),
  id: v.string(),
  version: v.number(),
  title: v.string(),
  subject: v.string(),
  status: v.string(),
  lastUpdated: v.string(),
  rule: v.string(),
  severity: v.picklist(severities),
  category: v.picklist(categories),
  message: v.string(),
  parameters: v.exactOptional(SentenceParameters),
  pointer: v.string(),
  /** Beginning of the element's exact text; empty for a finding on the whole record. */
  excerpt: v.string(),
  /** Triage state; absent if it was never set. */
  state: v.exactOptional(FindingState),
  ...otherMembers,
});
export type QualityFinding = Shape<typeof QualityFinding>;

/** `GET /app/quality/findings`: a page of findings, ordered by record. */
export const QualityPage = v.object({
  findings: v.array(QualityFinding),
  /** `after` of the next page; absent on the last. */
  next: v.exactOptional(v.string()),
});
export type QualityPage = Shape<typeof QualityPage>;

/** Returns the query of a filter as name and value pairs. */
export function filterPairs(filter: QualityFilter): [string, string][] {
  return Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]));
}

/** Parses a filter; undefined for an unknown name or value. */
export function readFilter(pairs: readonly (readonly [string, string])[]): QualityFilter | undefined {
  let filter: QualityFilter = {};
  for (const [name, value] of pairs) {
    const part = partOf(name, value);
    if (!part) return undefined;
    filter = { ...filter, ...part };
  }
  return filter;
}

function partOf(name: string, value: string): QualityFilter | undefined {
  const category = categories.find((candidate) => candidate === value);
  const severity = severities.find((candidate) => candidate === value);
  if (name === 'state') {
    const state = findingStates.find((candidate) => candidate === value);
    return state && { state };
  }
  if (name === 'rule' || name === 'text' || name === 'assignee')
    return value.trim() === '' ? {} : { [name]: value.trim() };
  if (name === 'batch') return isBatchId(value) ? { batch: value } : undefined;
  if (name === 'group') return groupOf(value) && { group: value };
  if (name === 'category') return category && { category };
  if (name === 'severity') return severity && { severity };
  return name === 'type' && isResourceType(value) ? { type: value } : undefined;
}
