import { formatList } from '../text/language.ts';
import { parseCanonical, parseReference, type LiteralReference } from './reference.ts';
import type { ResourceType } from './resource.ts';
import type { DateValue, Term, TokenValue } from './search-criteria.ts';
import { always, dateRange, type TimeRange } from './search-date.ts';
import { datePrefixes, indexKey, leavesOf, type SearchParameter } from './search-parameters.ts';
import { searchMessages } from './search-messages.ts';
import { alternatives, badValue, fold, splitAt, unescape } from './search-values.ts';

/** What a term is read from: a parameter of the table, its modifier and its value. */
export interface TermSource {
  readonly type: ResourceType;
  readonly parameter: SearchParameter;
  readonly modifier: string | undefined;
  readonly value: string;
  /** Absolute URL below which this server's records live, without a trailing slash. */
  readonly base: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The conditions that a parameter, its modifier and its value say; each must hold.
 *
 * @throws FhirError `value` where the value is not one of the parameter's type.
 */
export function readTerms(source: TermSource): Term[] {
  const term = readTerm(source);
  const { type, parameter, modifier } = source;
  if (modifier !== 'identifier' || parameter.only === undefined) return [term];
  // An identifier's rows do not tell of what type its reference is; the literal's do.
  return [term, missing(type, parameter, false)];
}

function missing(type: ResourceType, parameter: SearchParameter, missing: boolean): Term {
  return {
    kind: 'missing',
    // URIs stand among the strings.
    table: parameter.type === 'uri' ? 'string' : parameter.type,
    key: indexKey(type, parameter),
    missing,
    ...(parameter.only !== undefined && { target: parameter.only }),
  };
}

function readTerm(source: TermSource): Term {
  const { type, parameter, modifier, value } = source;
  const parts = alternatives(parameter.name, value);
  const key = indexKey(type, parameter);
  if (modifier === 'missing') {
    if (value !== 'true' && value !== 'false')
      throw badValue(parameter.name, searchMessages.missing({ name: parameter.name }));
    return missing(type, parameter, value === 'true');
  }
  if (parameter.column === '_id') return { kind: 'id', anyOf: parts.map((part) => idOf(part)) };
  switch (parameter.type) {
    case 'reference':
      if (modifier === 'identifier') return tokenTerm(source, key, parts);
      return {
        kind: 'reference',
        key,
        anyOf: parts.map((part) => referenceValue(source, unescape(part))),
        ...(parameter.only !== undefined && { target: parameter.only }),
      };
    case 'token':
      if (modifier === 'text') return textTerm(key, 'start', parts);
      return tokenTerm(source, key, parts);
    case 'date': {
      const anyOf = parts.map((part) => dateValue(source, part));
      return parameter.column === '_lastUpdated' ? { kind: 'updated', anyOf } : { kind: 'date', key, anyOf };
    }
    case 'uri':
      return textTerm(key, 'exact', parts);
    case 'string':
      return textTerm(key, modifier === 'exact' || modifier === 'contains' ? modifier : 'start', parts);
  }
}

function tokenTerm(source: TermSource, key: string, parts: readonly string[]): Term {
  const anyOf = parts.map((part) => tokenValue(source, part));
  return { kind: 'token', key, anyOf, not: source.modifier === 'not' };
}

/** `_id` is a token without a system: `|x` says the same as `x`. */
function idOf(part: string): string {
  return unescape(part.replace(/^\|/, ''));
}

function referenceValue({ parameter, modifier, base }: TermSource, literal: string): LiteralReference {
  const own = base !== undefined && literal.startsWith(`${base}/`);
  const parse = leavesOf(parameter).includes('Reference') ? parseReference : parseCanonical;
  const reference = parse(own ? literal.slice(base.length + 1) : literal);
  if (!reference) throw badValue(parameter.name, searchMessages.noId({ name: parameter.name }));
  if (modifier === undefined || reference.type === modifier) return reference;
  // Another type than the modifier asks for is a contradiction, which nothing meets: no literal holds an empty id.
  return reference.type === undefined ? { ...reference, type: modifier } : { id: '', type: modifier };
}

function tokenValue({ parameter: { name, system: ownSystem } }: TermSource, part: string): TokenValue {
  const pieces = splitAt(part, '|').map(unescape);
  if (pieces.length > 2) throw badValue(name, searchMessages.token({ name }));
  const code = pieces.at(-1)?.toLowerCase() ?? '';
  const system = pieces.length === 2 ? pieces[0] : undefined;
  if (code === '' && (system === undefined || system === ''))
    throw badValue(name, searchMessages.noValue({ name }));
  const implied = system !== undefined && system === ownSystem;
  return {
    ...(system !== undefined && !implied && { system: system === '' ? null : system }),
    ...(code !== '' && { code }),
  };
}

function dateValue({ parameter: { name }, now }: TermSource, part: string): DateValue {
  const prefix = datePrefixes.find((one) => part.startsWith(one)) ?? 'eq';
  const range = dateRange(/^[a-z]{2}/.test(part) && part.startsWith(prefix) ? part.slice(2) : part);
  if (range) return { prefix, ...(prefix === 'ap' ? widened(range, now) : range) };
  throw badValue(name, searchMessages.date({ name, prefixes: formatList(datePrefixes, 'disjunction') }));
}

/** FHIR R4 search.html#prefix: about that time is a tenth of how far it lies from now. */
function widened({ low, high }: TimeRange, now: number): TimeRange {
  // Whole milliseconds, as all times are: a store may take nothing else for one.
  const margin = Math.round(Math.abs(now - (low + high) / 2) / 10);
  return { low: Math.max(always.low, low - margin), high: Math.min(always.high, high + margin) };
}

function textTerm(key: string, match: 'start' | 'exact' | 'contains', parts: readonly string[]): Term {
  const values = parts.map(unescape);
  return { kind: 'string', key, match, anyOf: match === 'exact' ? values : values.map(fold) };
}
