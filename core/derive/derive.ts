/**
 * core/derive computes index rows, sort keys and findings of a record, and their fingerprints
 * (derivations.ts). Called by the write path, the rebuild and verify. Invariant: pure. The same record on the
 * same day gives the same rows.
 */
import { isFoundElsewhere, staleRule, type IssueRow } from '../fhir/issue-row.ts';
import { definitionOf, perType, type ResourceType } from '../fhir/resource.ts';
import type { Finding } from '../fhir/validation/finding.ts';
import { rules } from '../fhir/validation/rules.ts';
import { validateRecord, type ValidateOptions } from '../fhir/validation/validate.ts';
import { items, member, stringMember, type JsonObject, type JsonNode } from '../json/node.ts';
import { formatPointer } from '../json/pointer.ts';
import type { ParameterType } from '../types/definition/r4-type.ts';
import { parseCanonical, parseReference, type LiteralReference } from '../fhir/reference.ts';
import { unbounded, dateRange, type TimeRange } from '../fhir/search-date.ts';
import { indexedParametersOf, indexKey, searchParametersOf } from '../fhir/search-parameters.ts';
import { fold } from '../fhir/search-values.ts';

/** Rows that make a record searchable. */
export interface DerivedRows {
  readonly index: IndexRows;
  readonly issues: readonly IssueRow[];
  /**
   * The first midnight (UTC, milliseconds since 1970) at which the date alone changes the issues; absent if
   * it never does.
   */
  readonly revalidateAtMs?: number;
}

/** Derives all rows of a record for a day. */
export function derive(
  type: ResourceType,
  record: JsonObject,
  options: ValidateOptions,
): DerivedRows & { readonly findings: Finding[] } {
  return { index: indexRows(type, record), ...deriveIssues(type, record, options) };
}

/** Derives only the rows of the rules. */
export function deriveIssues(
  type: ResourceType,
  record: JsonObject,
  options: ValidateOptions,
): Omit<DerivedRows, 'index'> & { readonly findings: Finding[] } {
  const result = validateRecord(record, type, options);
  return { ...result, issues: issueRows(result.findings) };
}

/** Returns the rows of the quality worklist for the findings of a version. */
export function issueRows(findings: readonly Finding[]): IssueRow[] {
  return findings.map(({ rule, severity, category, tokens }) => ({
    rule,
    severity,
    category,
    pointer: formatPointer(tokens),
  }));
}

/** Rules that depend on the date. */
const dateDependentRules = new Set(rules.filter(({ nextChangeAt }) => nextChangeAt).map(({ id }) => id));

/** Returns the issues that a validation of the single record does not produce. They remain. */
export function listRetainedIssues(issues: readonly IssueRow[]): IssueRow[] {
  return issues.filter((issue) => issue.rule === staleRule || isFoundElsewhere(issue));
}

/** Returns the issues that depend on the record only, not on the date. */
export function listDateIndependentIssues(issues: readonly IssueRow[]): IssueRow[] {
  return issues.filter(
    (issue) => listRetainedIssues([issue]).length === 0 && !dateDependentRules.has(issue.rule),
  );
}

/** Returns the day (YYYY-MM-DD, UTC) of a time in milliseconds since 1970. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * The index rows of a record, by search type. An element without a searchable value has a row with an empty value,
 * which matches nothing: `:missing` only looks for rows.
 */
export interface IndexRows {
  readonly references: readonly {
    readonly key: string;
    readonly target: string;
    readonly type: string | null;
    readonly base: string | null;
  }[];
  /** `code` is in lower case, because tokens ignore case. A reference has the tokens of its identifier. */
  readonly tokens: readonly { readonly key: string; readonly system: string | null; readonly code: string }[];
  readonly dates: readonly {
    readonly key: string;
    readonly low: number | null;
    readonly high: number | null;
  }[];
  /** Texts of strings and concepts, and URIs. */
  readonly strings: readonly { readonly key: string; readonly folded: string; readonly exact: string }[];
  /** Keys for `_sort`, in addition to the time of the write. */
  readonly sort: Readonly<{ date: number; status: string; title: string }>;
}

/** The rows of an empty record. */
export const noIndex: IndexRows = {
  references: [],
  tokens: [],
  dates: [],
  strings: [],
  sort: { date: 0, status: '', title: '' },
};

type Rows = {
  -readonly [Name in keyof Omit<IndexRows, 'sort'>]: IndexRows[Name][number][];
};

/** A parameter with rows of its own. An alias uses the rows of its original. */
interface Source {
  readonly key: string;
  readonly type: ParameterType;
  /** The FHIR type of the element. */
  readonly leaf: string;
}

/** A node of the tree of parameter paths: the next members by name, and the parameters that end here. */
interface Branch {
  readonly members: Map<string, Branch>;
  readonly sources: Source[];
}

function branch(): Branch {
  return { members: new Map(), sources: [] };
}

/** The paths of all parameters of a type as one tree, so that one walk reads a record. */
const trees = perType((type) => {
  const tree = branch();
  for (const parameter of indexedParametersOf(type)) {
    const key = indexKey(type, parameter);
    const { type: kind, path } = parameter;
    const parents = path
      .slice(0, -1)
      .reduce(
        (nodes, step) => nodes.flatMap((node) => Object.keys(step).map((name) => grow(node, name))),
        [tree],
      );
    for (const [name, leaf] of Object.entries(path.at(-1) ?? {})) {
      for (const parent of parents) grow(parent, name).sources.push({ key, type: kind, leaf });
    }
  }
  return tree;
});

function grow({ members }: Branch, name: string): Branch {
  const grown = members.get(name) ?? branch();
  members.set(name, grown);
  return grown;
}

/** The paths of the sort keys of a type. */
const sorting = perType((type) => {
  const { sort, summary } = definitionOf(type);
  const dated = searchParametersOf(type).find(({ name }) => sort[name] === 'date');
  return {
    date: dated?.path.flatMap((step) => Object.keys(step).slice(0, 1)) ?? [],
    status: summary.status.split('.'),
    title: (summary.title[0] ?? '').split('.'),
  };
});

/** Maximum length of a sort key, which cursors contain. */
const sortLength = 100;

/** Reads the index rows of a record of any shape. With `keys`, reads only theirs. */
export function indexRows(type: ResourceType, record: JsonNode, keys?: ReadonlySet<string>): IndexRows {
  const rows: Rows = { references: [], tokens: [], dates: [], strings: [] };
  walk(rows, trees[type], record, keys);
  return { ...rows, sort: sortKeys(type, record) };
}

function walk(rows: Rows, { members }: Branch, node: JsonNode, keys: ReadonlySet<string> | undefined): void {
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    const next = members.get(key);
    if (!next) continue;
    for (const element of value.kind === 'array' ? value.items : [value]) {
      for (const source of next.sources) {
        if (!keys || keys.has(source.key)) addRows[source.type](rows, source, element);
      }
      if (next.members.size > 0) walk(rows, next, element, keys);
    }
  }
}

/** Rows are pushed singly, because a large body has too many for the arguments of one call. */
const addRows: Readonly<Record<ParameterType, (rows: Rows, source: Source, node: JsonNode) => void>> = {
  reference: (rows, { key, leaf }, node) => {
    if (leaf !== 'Reference') {
      for (const form of canonicalForms(node))
        rows.references.push({ key, ...referenceOf(parseCanonical(form)) });
      return;
    }
    rows.references.push({
      key,
      ...referenceOf(parseReference(stringMember(node, 'reference') ?? ''), stringMember(node, 'type')),
    });
    const identifier = member(node, 'identifier');
    if (identifier) for (const token of tokensOf(identifier)) rows.tokens.push({ key, ...token });
  },
  token: (rows, { key }, node) => {
    for (const token of tokensOf(node)) rows.tokens.push({ key, ...token });
    if (node.kind === 'string') return;
    for (const text of conceptTexts(node)) rows.strings.push(textRow(key, text));
  },
  date: (rows, { key, leaf }, node) => {
    // A choice of type string is not a date even if it looks like one.
    const time = leaf === 'string' ? undefined : timeOf(node);
    rows.dates.push({ key, ...(time ?? { low: null, high: null }) });
  },
  string: (rows, { key }, node) => {
    rows.strings.push(textRow(key, textOf(node)));
  },
  uri: (rows, { key, leaf }, node) => {
    for (const form of leaf === 'canonical' ? canonicalForms(node) : [textOf(node)])
      rows.strings.push(textRow(key, form));
  },
};

function textOf(node: JsonNode | undefined): string {
  return node?.kind === 'string' ? node.value : '';
}

/** Returns a canonical (FHIR R4 references.html#canonical) with its version and without. */
function canonicalForms(node: JsonNode): string[] {
  const uri = textOf(node);
  const bar = uri.indexOf('|');
  return bar === -1 ? [uri] : [uri, uri.slice(0, bar)];
}

/** Parses a literal. Reference.type applies if the literal has no type (FHIR R4 references.html#Reference). */
function referenceOf(target: LiteralReference | undefined, type?: string) {
  if (!target) return { target: '', type: null, base: null };
  return { target: target.id, type: target.type ?? type ?? null, base: target.base ?? null };
}

/** Returns the tokens of a code, a CodeableConcept, a Coding or an Identifier (FHIR R4 search.html#token). */
function tokensOf(value: JsonNode): { system: string | null; code: string }[] {
  if (value.kind === 'string') return [{ system: null, code: value.value.toLowerCase() }];
  const codings = items(member(value, 'coding'));
  return (codings.length === 0 ? [value] : codings).map((part) => ({
    system: stringMember(part, 'system') ?? null,
    code: (stringMember(part, 'code') ?? stringMember(part, 'value') ?? '').toLowerCase(),
  }));
}

/** Returns the texts of a CodeableConcept or a Coding, and the name of an Identifier's type. */
function conceptTexts(value: JsonNode): string[] {
  const displays = [value, ...items(member(value, 'coding'))].map((coding) =>
    stringMember(coding, 'display'),
  );
  const kind = stringMember(member(value, 'type'), 'text');
  return [stringMember(value, 'text'), kind, ...displays].filter((text) => text !== undefined);
}

function textRow(key: string, exact: string) {
  return { key, folded: fold(exact), exact };
}

/** Returns the time of a date, a Period or a Timing; undefined if it has none. */
function timeOf(value: JsonNode): TimeRange | undefined {
  if (value.kind === 'string') return dateRange(value.value);
  const bounds = member(member(value, 'repeat'), 'boundsPeriod');
  const events = items(member(value, 'event')).map(
    (event) => event.kind === 'string' && dateRange(event.value),
  );
  const spans = [periodOf(value), bounds && periodOf(bounds), ...events].filter(
    (span) => typeof span === 'object',
  );
  if (spans.length === 0) return undefined;
  // A large body has too many events for the arguments of Math.min.
  return spans.reduce((span, { low, high }) => ({
    low: Math.min(span.low, low),
    high: Math.max(span.high, high),
  }));
}

/** Returns the range of a period. It is open on a side without start or end. */
function periodOf(value: JsonNode): TimeRange | undefined {
  const [start, end] = ['start', 'end'].map((name) => stringMember(value, name));
  if (start === undefined && end === undefined) return undefined;
  const low = start === undefined ? unbounded : dateRange(start);
  const high = end === undefined ? unbounded : dateRange(end);
  return low && high && { low: low.low, high: high.high };
}

function sortKeys(type: ResourceType, record: JsonNode): IndexRows['sort'] {
  const { date, status, title } = sorting[type];
  const nodeAt = (path: readonly string[]) => path.reduce<JsonNode | undefined>(member, record);
  const dated = date.length > 0 ? nodeAt(date) : undefined;
  return {
    date: (dated && timeOf(dated))?.low ?? unbounded.low,
    status: textOf(nodeAt(status)).slice(0, sortLength),
    title: fold(textOf(nodeAt(title))).slice(0, sortLength),
  };
}
