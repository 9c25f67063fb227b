import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import type { ParameterType } from '../types/definition/r4-type.ts';
import { parseCanonical, parseReference, type LiteralReference } from './reference.ts';
import { definitionOf, perType, type ResourceType } from './resource.ts';
import { always, dateRange, type TimeRange } from './search-date.ts';
import { indexedParametersOf, indexKey, searchParametersOf } from './search-parameters.ts';
import { fold } from './search-values.ts';

/**
 * The index rows of a record, by search type. An element that is there without a value that can be found has a row
 * with an empty value, which nothing matches: `:missing` asks for rows alone.
 */
export interface IndexRows {
  readonly references: readonly {
    readonly key: string;
    readonly target: string;
    readonly type: string | null;
    readonly base: string | null;
  }[];
  /** `code` in lower case: tokens are compared without regard to case. Those of a reference are its identifier's. */
  readonly tokens: readonly { readonly key: string; readonly system: string | null; readonly code: string }[];
  readonly dates: readonly {
    readonly key: string;
    readonly low: number | null;
    readonly high: number | null;
  }[];
  /** Texts of strings and concepts, and URIs. */
  readonly strings: readonly { readonly key: string; readonly folded: string; readonly exact: string }[];
  /** What `_sort` compares, beside the stamp. */
  readonly sort: Readonly<{ date: number; status: string; title: string }>;
}

/** The rows of nothing. */
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

/** A parameter whose rows are made; an alias has its original's. */
interface Source {
  readonly key: string;
  readonly type: ParameterType;
  /** The FHIR type of the element. */
  readonly leaf: string;
}

/** What parameters look at below an element: the members that lead on, by name, and whose element this is. */
interface Branch {
  readonly members: Map<string, Branch>;
  readonly sources: Source[];
}

function branch(): Branch {
  return { members: new Map(), sources: [] };
}

/** By type, the paths of all its parameters as one tree: a record is gone through once. */
const trees = perType((type) => {
  const tree = branch();
  for (const parameter of indexedParametersOf(type)) {
    const key = indexKey(type, parameter);
    const { type: kind, path } = parameter;
    const parents = path
      .slice(0, -1)
      .reduce(
        (above, step) => above.flatMap((one) => Object.keys(step).map((name) => grow(one, name))),
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

/** By type, the paths of what sorts. */
const sorting = perType((type) => {
  const { sort, summary } = definitionOf(type);
  const dated = searchParametersOf(type).find(({ name }) => sort[name] === 'date');
  return {
    date: dated?.path.flatMap((step) => Object.keys(step).slice(0, 1)) ?? [],
    status: summary.status.split('.'),
    title: (summary.title[0] ?? '').split('.'),
  };
});

/** Characters of a text that order it; a cursor carries them. */
const sortLength = 100;

/** Reads the index rows of a record, those of `keys` alone where given; tolerates any shape. */
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

/** One by one: as many as a large body holds are too many arguments of one call. */
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
    // A choice may hold a text in words, which is no date although it looks like one.
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

/** A canonical (FHIR R4 references.html#canonical) is found with its version and without. */
function canonicalForms(node: JsonNode): string[] {
  const uri = textOf(node);
  const bar = uri.indexOf('|');
  return bar === -1 ? [uri] : [uri, uri.slice(0, bar)];
}

/** A literal taken apart; Reference.type counts where it names none (FHIR R4 references.html#Reference). */
function referenceOf(target: LiteralReference | undefined, type?: string) {
  if (!target) return { target: '', type: null, base: null };
  return { target: target.id, type: target.type ?? type ?? null, base: target.base ?? null };
}

/** The tokens of a code, a CodeableConcept, a Coding or an Identifier (FHIR R4 search.html#token). */
function tokensOf(value: JsonNode): { system: string | null; code: string }[] {
  if (value.kind === 'string') return [{ system: null, code: value.value.toLowerCase() }];
  const codings = items(member(value, 'coding'));
  return (codings.length === 0 ? [value] : codings).map((part) => ({
    system: stringMember(part, 'system') ?? null,
    code: (stringMember(part, 'code') ?? stringMember(part, 'value') ?? '').toLowerCase(),
  }));
}

/** The texts of a CodeableConcept or a Coding, and the name of an Identifier's type. */
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

/** The time of a date, a Period or a Timing; undefined where it says none. */
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
  // From the first to the last: as arguments of one call, a large body's events would be too many.
  return spans.reduce((span, { low, high }) => ({
    low: Math.min(span.low, low),
    high: Math.max(span.high, high),
  }));
}

/** A period without a start or an end is open on that side. */
function periodOf(value: JsonNode): TimeRange | undefined {
  const [start, end] = ['start', 'end'].map((name) => stringMember(value, name));
  if (start === undefined && end === undefined) return undefined;
  const low = start === undefined ? always : dateRange(start);
  const high = end === undefined ? always : dateRange(end);
  return low && high && { low: low.low, high: high.high };
}

function sortKeys(type: ResourceType, record: JsonNode): IndexRows['sort'] {
  const { date, status, title } = sorting[type];
  const at = (path: readonly string[]) => path.reduce<JsonNode | undefined>(member, record);
  const dated = date.length > 0 ? at(date) : undefined;
  return {
    date: (dated && timeOf(dated))?.low ?? always.low,
    status: textOf(at(status)).slice(0, sortLength),
    title: fold(textOf(at(title))).slice(0, sortLength),
  };
}
