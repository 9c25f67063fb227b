/**
 * What page and server say to each other of `/app/quality`: the worklist of every stored record that has issues.
 * Shares and sums are the reader's to compute; only whole numbers cross the wire.
 */
import * as v from 'valibot';
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

/** What findings are put together by: whom the record is about, its `meta.source`, who wrote it as it stands, and when. */
export const groupings = ['record', 'patient', 'rule', 'source', 'author', 'month'] as const;
export type Grouping = (typeof groupings)[number];

/** One group of findings: `month:2026-11`. */
export interface GroupName {
  readonly by: Grouping;
  readonly key: string;
}

export function groupText({ by, key }: GroupName): string {
  return `${by}:${key}`;
}

/** Reads what {@link groupText} writes; undefined where it is none. */
export function groupOf(written: string): GroupName | undefined {
  const by = groupings.find((one) => written.startsWith(`${one}:`));
  return by && { by, key: written.slice(by.length + 1) };
}

/** Which findings are asked for; what is absent does not narrow. */
export interface QualityFilter {
  readonly rule?: string;
  readonly category?: Category;
  readonly severity?: Severity;
  readonly type?: ResourceType;
  /** Part of a rule's id or sentence, of a record's title, id or subject, or of the element's pointer. */
  readonly text?: string;
  /** `open` is whatever is not waived; `assigned` are those of the open that are somebody's. */
  readonly state?: FindingStateName;
  /** Name of the person whose findings they are. */
  readonly assignee?: string;
  /** One group, as {@link groupText} writes it. */
  readonly group?: string;
}

/** What every room that counts findings asks first: what nobody waived. Another server's findings have no state. */
export function openFindings(isRemote: boolean): QualityFilter {
  return isRemote ? {} : { state: 'open' };
}

const QualityCounts = v.object({ records: v.number(), findings: v.number() });
export type QualityCounts = Shape<typeof QualityCounts>;

/** One rule and what breaks it. */
const QualityGroup = v.object({
  ...QualityCounts.entries,
  rule: v.string(),
  severity: v.picklist(severities),
  category: v.picklist(categories),
  /** The rule's sentence. */
  text: v.string(),
  types: v.object(v.entriesFromList(resourceTypes, v.exactOptional(QualityCounts))),
});
export type QualityGroup = Shape<typeof QualityGroup>;

const countByType = v.object(v.entriesFromList(resourceTypes, v.number()));

/** `GET /app/quality`: the rules that are broken. */
export const QualityOverview = v.object({
  /** When it was counted. */
  computed: v.string(),
  /** The server's level of validation. */
  level: v.picklist(validationLevels),
  /** All records, and those with at least one issue, whatever the filter says. */
  records: countByType,
  flagged: countByType,
  /** Those with at least one that is not waived. */
  open: v.exactOptional(countByType),
  /** Findings that are open, those of them that are somebody's, and waived ones, whatever the filter says. */
  states: v.exactOptional(v.object(v.entriesFromList(findingStates, v.number()))),
  /** Records of which profiles leave something undecided; absent where nothing is judged by profiles. */
  undecided: v.exactOptional(countByType),
  /** Most records first. */
  groups: v.array(QualityGroup),
});
export type QualityOverview = Shape<typeof QualityOverview>;

/** What is found in a record: by a rule, whose sentence it says, or by a check, whose title. */
export const FoundInRecord = v.object({
  rule: v.string(),
  severity: v.picklist(severities),
  category: v.picklist(categories),
  text: v.string(),
  pointer: v.string(),
});

/** The other records that a finding is about, some of them: who has the same identifier, what replaces this one. */
const otherMembers = {
  others: v.exactOptional(v.array(NamedRecord)),
  /** There are more than are named. */
  moreOthers: v.exactOptional(v.literal(true)),
};
const OtherRecords = v.object(otherMembers);
export type OtherRecords = Shape<typeof OtherRecords>;

/** Other records that are named of one finding, at most. */
export const mostOthers = 3;

/** What the store finds at a record and its text alone does not tell: it needs other records, or the versions before. */
const StoreFinding = v.object({ ...FoundInRecord.entries, ...otherMembers });
export type StoreFinding = Shape<typeof StoreFinding>;

/** `GET /app/quality/records/{type}/{id}`. */
export const StoreFindings = v.object({
  /** The version that they were found at. */
  version: v.number(),
  findings: v.array(StoreFinding),
});
export type StoreFindings = Shape<typeof StoreFindings>;

/** One finding with its record. */
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
  /** The rule's sentence for this element. */
  message: v.string(),
  pointer: v.string(),
  /** The beginning of the element's exact text; empty where the finding is on the whole record. */
  excerpt: v.string(),
  /** What people said of it; absent where nobody did. */
  state: v.exactOptional(FindingState),
  ...otherMembers,
});
export type QualityFinding = Shape<typeof QualityFinding>;

/** `GET /app/quality/findings`: a page of findings, record by record. */
export const QualityPage = v.object({
  findings: v.array(QualityFinding),
  /** `after` of the next page; absent on the last. */
  next: v.exactOptional(v.string()),
});
export type QualityPage = Shape<typeof QualityPage>;

/** The query of a filter, as name and value pairs. */
export function filterPairs(filter: QualityFilter): [string, string][] {
  return Object.entries(filter).filter((pair): pair is [string, string] => Boolean(pair[1]));
}

/** Reads a filter; undefined where a name or a value is not known. */
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
  const category = categories.find((one) => one === value);
  const severity = severities.find((one) => one === value);
  if (name === 'state') {
    const state = findingStates.find((one) => one === value);
    return state && { state };
  }
  if (name === 'rule' || name === 'text' || name === 'assignee')
    return value.trim() === '' ? {} : { [name]: value.trim() };
  if (name === 'group') return groupOf(value) && { group: value };
  if (name === 'category') return category && { category };
  if (name === 'severity') return severity && { severity };
  return name === 'type' && isResourceType(value) ? { type: value } : undefined;
}
