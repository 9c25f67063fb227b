/**
 * What page and server say to each other of `/app/quality`: the worklist of every stored record that has issues.
 * Shares and sums are the reader's to compute; only whole numbers cross the wire.
 */
import type { Category, Severity } from '../types/definition/rule.ts';
import type { ValidationLevel } from '../fhir/validation/levels.ts';
import { isResourceType, type ResourceType } from '../fhir/resource.ts';

export const categories = [
  'conformance',
  'completeness',
  'plausibility',
] as const satisfies readonly Category[];
export const severities = ['error', 'warning'] as const satisfies readonly Severity[];

/** Which findings are asked for; what is absent does not narrow. */
export interface QualityFilter {
  readonly rule?: string;
  readonly category?: Category;
  readonly severity?: Severity;
  readonly type?: ResourceType;
  /** Part of a rule's id or sentence, of a record's title, id or subject, or of the element's pointer. */
  readonly text?: string;
}

export interface QualityCounts {
  readonly records: number;
  readonly findings: number;
}

/** One rule and what breaks it. */
export interface QualityGroup extends QualityCounts {
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  /** The rule's sentence. */
  readonly text: string;
  readonly types: Readonly<Partial<Record<ResourceType, QualityCounts>>>;
}

/** `GET /app/quality`: the rules that are broken. */
export interface QualityOverview {
  /** When it was counted. */
  readonly computed: string;
  /** The server's level of validation. */
  readonly level: ValidationLevel;
  /** All records, and those with at least one issue, whatever the filter says. */
  readonly records: Readonly<Record<ResourceType, number>>;
  readonly flagged: Readonly<Record<ResourceType, number>>;
  /** Most records first. */
  readonly groups: readonly QualityGroup[];
}

/** One finding with its record. */
export interface QualityFinding {
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly subject: string;
  readonly status: string;
  readonly lastUpdated: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  /** The rule's sentence for this element. */
  readonly message: string;
  readonly pointer: string;
  /** The beginning of the element's exact text; empty where the finding is on the whole record. */
  readonly excerpt: string;
}

/** `GET /app/quality/findings`: a page of findings, record by record. */
export interface QualityPage {
  readonly findings: readonly QualityFinding[];
  /** `after` of the next page; absent on the last. */
  readonly next?: string;
}

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
  if (name === 'rule' || name === 'text') return value.trim() === '' ? {} : { [name]: value.trim() };
  if (name === 'category') return category && { category };
  if (name === 'severity') return severity && { severity };
  return name === 'type' && isResourceType(value) ? { type: value } : undefined;
}

export function isQualityOverview(value: unknown): value is QualityOverview {
  return (
    isObject(value) &&
    typeof value.computed === 'string' &&
    typeof value.level === 'string' &&
    isObject(value.records) &&
    isObject(value.flagged) &&
    Array.isArray(value.groups) &&
    value.groups.every((group) => hasStrings(group, ['rule', 'severity', 'category', 'text']))
  );
}

const findingTexts = ['type', 'id', 'title', 'subject', 'status', 'rule', 'message', 'pointer', 'excerpt'];

export function isQualityPage(value: unknown): value is QualityPage {
  return (
    isObject(value) &&
    Array.isArray(value.findings) &&
    value.findings.every((finding) => hasStrings(finding, findingTexts))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasStrings(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'string');
}
