import { formatList } from '../text/language.ts';
import { parseCanonical, parseReference, type LiteralReference } from './reference.ts';
import type { ResourceType } from './resource.ts';
import type { DateValue, Term, TokenValue } from './search-criteria.ts';
import { unbounded, dateRange, type TimeRange } from './search-date.ts';
import { datePrefixes, indexKey, leavesOf, type SearchParameter } from './search-parameters.ts';
import { searchMessages } from './search-messages.ts';
import { alternatives, badValue, fold, splitAt, unescape } from './search-values.ts';

/** Input of a term: a parameter of the table, its modifier and its value. */
export interface TermSource {
  readonly type: ResourceType;
  readonly parameter: SearchParameter;
  readonly modifier: string | undefined;
  readonly value: string;
  /** Absolute base URL of this server's records, without a trailing slash. */
  readonly base: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Parses the conditions of a parameter, its modifier and its value. All must match.
 *
 * @throws FhirError `value` if the value does not fit the parameter's type.
 */
export function readTerms(source: TermSource): Term[] {
  const term = readTerm(source);
  const { type, parameter, modifier } = source;
  if (modifier !== 'identifier' || parameter.only === undefined) return [term];
  // Rows of an identifier do not contain the type of its reference. Rows of the literal do.
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
  if (parameter.column === '_id') return { kind: 'id', values: parts.map((part) => idOf(part)) };
  switch (parameter.type) {
    case 'reference':
      if (modifier === 'identifier') return tokenTerm(source, key, parts);
      return {
        kind: 'reference',
        key,
        values: parts.map((part) => referenceValue(source, unescape(part))),
        ...(parameter.only !== undefined && { target: parameter.only }),
      };
    case 'token':
      if (modifier === 'text') return textTerm(key, 'start', parts);
      return tokenTerm(source, key, parts);
    case 'date': {
      const values = parts.map((part) => dateValue(source, part));
      return parameter.column === '_lastUpdated'
        ? { kind: 'updated', values }
        : { kind: 'date', key, values };
    }
    case 'uri':
      return textTerm(key, 'exact', parts);
    case 'string':
      return textTerm(key, modifier === 'exact' || modifier === 'contains' ? modifier : 'start', parts);
  }
}

function tokenTerm(source: TermSource, key: string, parts: readonly string[]): Term {
  const values = parts.map((part) => tokenValue(source, part));
  return { kind: 'token', key, values, not: source.modifier === 'not' };
}

/** `_id` is a token without a system: `|x` equals `x`. */
function idOf(part: string): string {
  return unescape(part.replace(/^\|/, ''));
}

function referenceValue({ parameter, modifier, base }: TermSource, literal: string): LiteralReference {
  const isLocal = base !== undefined && literal.startsWith(`${base}/`);
  const parse = leavesOf(parameter).includes('Reference') ? parseReference : parseCanonical;
  const reference = parse(isLocal ? literal.slice(base.length + 1) : literal);
  if (!reference) throw badValue(parameter.name, searchMessages.noId({ name: parameter.name }));
  if (modifier === undefined || reference.type === modifier) return reference;
  // A type other than the modifier's is a contradiction. An empty id matches nothing.
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
  const prefix = datePrefixes.find((candidate) => part.startsWith(candidate)) ?? 'eq';
  const range = dateRange(/^[a-z]{2}/.test(part) && part.startsWith(prefix) ? part.slice(2) : part);
  if (range) return { prefix, ...(prefix === 'ap' ? widened(range, now) : range) };
  throw badValue(name, searchMessages.date({ name, prefixes: formatList(datePrefixes, 'disjunction') }));
}

/** Approximates a range by a tenth of its distance from now (FHIR R4 search.html#prefix). */
function widened({ low, high }: TimeRange, now: number): TimeRange {
  // Rounded, because stores accept only whole milliseconds.
  const margin = Math.round(Math.abs(now - (low + high) / 2) / 10);
  return { low: Math.max(unbounded.low, low - margin), high: Math.min(unbounded.high, high + margin) };
}

function textTerm(key: string, match: 'start' | 'exact' | 'contains', parts: readonly string[]): Term {
  const values = parts.map(unescape);
  return { kind: 'string', key, match, values: match === 'exact' ? values : values.map(fold) };
}
