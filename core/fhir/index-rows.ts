import { indexKey, searchParametersOf, type SearchParameter } from '../api/parameters.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { parseReference } from './reference.ts';
import type { ResourceType } from './resource.ts';
import { always, dateRange, type TimeRange } from './search-date.ts';
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
  /** `code` in lower case: tokens are compared without regard to case. */
  readonly tokens: readonly { readonly key: string; readonly system: string | null; readonly code: string }[];
  readonly dates: readonly {
    readonly key: string;
    readonly low: number | null;
    readonly high: number | null;
  }[];
  readonly strings: readonly { readonly key: string; readonly folded: string; readonly exact: string }[];
  /** What `_sort` compares, beside the stamp. */
  readonly sort: { readonly date: number; readonly status: string; readonly title: string };
}

type Rows = {
  -readonly [Name in keyof IndexRows]: IndexRows[Name] extends readonly (infer Row)[] ? Row[] : never;
};

/** Characters of a text that order it; a cursor carries them. */
const sortLength = 100;

/** Reads the index rows of a record; tolerates any shape. */
export function indexRows(type: ResourceType, record: JsonNode): IndexRows {
  const rows: Omit<Rows, 'sort'> = { references: [], tokens: [], dates: [], strings: [] };
  for (const parameter of searchParametersOf(type)) {
    if (parameter.column !== undefined || parameter.index !== undefined) continue;
    const node = member(record, parameter.elements[type] ?? '');
    if (node) addRows(rows, indexKey(type, parameter), parameter, node);
  }
  const dated = rows.dates.find(({ key }) => key === `${type}.date`);
  return {
    ...rows,
    sort: {
      date: dated?.low ?? always.low,
      status: (stringMember(record, 'status') ?? '').slice(0, sortLength),
      title: fold(stringMember(record, 'title') ?? '').slice(0, sortLength),
    },
  };
}

/** One by one: as many as a large body holds are too many arguments of one call. */
function addRows(rows: Omit<Rows, 'sort'>, key: string, parameter: SearchParameter, node: JsonNode): void {
  const values = node.kind === 'array' ? node.items : [node];
  switch (parameter.type) {
    case 'reference':
      for (const value of values) rows.references.push({ key, ...referenceOf(value) });
      break;
    case 'token':
      for (const token of values.flatMap(tokensOf)) rows.tokens.push({ key, ...token });
      if (!parameter.modifiers.includes('text')) break;
      for (const text of values.flatMap(conceptTexts)) rows.strings.push(textRow(key, text));
      break;
    case 'date':
      for (const value of values) rows.dates.push({ key, ...timeOf(value) });
      break;
    case 'string':
      for (const value of values) rows.strings.push(textRow(key, value.kind === 'string' ? value.value : ''));
      break;
  }
}

/** Reference.type counts where the literal names none (FHIR R4 references.html#Reference). */
function referenceOf(value: JsonNode) {
  const target = parseReference(stringMember(value, 'reference') ?? '');
  if (!target) return { target: '', type: null, base: null };
  return {
    target: target.id,
    type: target.type ?? stringMember(value, 'type') ?? null,
    base: target.base ?? null,
  };
}

/** The tokens of a code, a CodeableConcept or an Identifier (FHIR R4 search.html#token). */
function tokensOf(value: JsonNode): { system: string | null; code: string }[] {
  if (value.kind === 'string') return [{ system: null, code: value.value.toLowerCase() }];
  const codings = items(member(value, 'coding'));
  const parts = codings.length === 0 ? [value] : codings;
  return parts.map((part) => ({
    system: stringMember(part, 'system') ?? null,
    code: (stringMember(part, codings.length === 0 ? 'value' : 'code') ?? '').toLowerCase(),
  }));
}

function conceptTexts(value: JsonNode): string[] {
  const displays = items(member(value, 'coding')).map((coding) => stringMember(coding, 'display'));
  return [stringMember(value, 'text'), ...displays].filter((text) => text !== undefined);
}

function textRow(key: string, exact: string) {
  return { key, folded: fold(exact), exact };
}

/** A period without a start or an end is open on that side. */
function timeOf(value: JsonNode): TimeRange | { low: null; high: null } {
  if (value.kind === 'string') return dateRange(value.value) ?? { low: null, high: null };
  const [start, end] = ['start', 'end'].map((name) => stringMember(value, name));
  const low = start === undefined ? always : dateRange(start);
  const high = end === undefined ? always : dateRange(end);
  if (!low || !high || (start === undefined && end === undefined)) return { low: null, high: null };
  return { low: low.low, high: high.high };
}
