import { formatList } from '../text/language.ts';
import type { Message } from '../text/message.ts';
import { FhirError } from './outcome.ts';
import { definitionOf, perType, type ResourceType } from './resource.ts';
import type { Include, SearchCriteria, Term } from './search-criteria.ts';
import { searchMessages } from './search-messages.ts';
import {
  includeName,
  includesOf,
  modifierList,
  resultParametersOf,
  searchParametersOf,
  type ResultParameter,
  type SearchParameter,
} from './search-parameters.ts';
import { readResults, type ResultValues } from './search-results.ts';
import { readTerms } from './search-terms.ts';
import { badValue, locationOf } from './search-values.ts';

export type { SearchCriteria } from './search-criteria.ts';

/** Name and value as the query holds them. */
export type Pair = readonly [name: string, value: string];

export interface ReadOptions {
  /** `Prefer: handling=lenient`: parameters that are not known are left out. */
  readonly lenient?: boolean;
  /** Absolute URL below which the records live: references to it are as good as relative ones. */
  readonly base?: string;
  /** Whether a search must name whom it is about, where the type may ask that. */
  readonly requireSubject?: boolean;
  /** Milliseconds since the epoch, by default of this moment: how near `ap` is depends on it. */
  readonly now: number;
}

/** Values that one search may name; more would be more statements than SQLite joins in one. */
const mostValues = 250;

/** Each of these says whom a search is about. */
export const namingSubject: readonly string[] = ['subject', 'patient', '_id'];

const filtersOf = perType((type) => byName(searchParametersOf(type)));
const shapers = byName(resultParametersOf('search'));

function byName<Parameter extends { readonly name: string }>(
  parameters: readonly Parameter[],
): ReadonlyMap<string, Parameter> {
  return new Map(parameters.map((one) => [one.name, one]));
}

/**
 * Reads the query of a search (FHIR R4 search.html).
 *
 * @throws FhirError `not-accepted` for an unknown parameter, modifier or order, `value` for an unusable value,
 *   `required` for a search that does not name whom it is about where that is asked for, `too-costly` for too many values.
 */
export function readCriteria(
  type: ResourceType,
  pairs: readonly Pair[],
  { lenient = false, base, requireSubject = false, now }: ReadOptions = { now: 0 },
): SearchCriteria {
  const filters = filtersOf[type];
  const terms: Term[] = [];
  const names = new Set<string>();
  const results: ResultValues = new Map();
  const includes: Include[] = [];
  const used: Pair[] = [];
  for (const [full, value] of pairs) {
    if (isInclude(full)) {
      const include = readInclude(type, full, value, lenient);
      if (!include) continue;
      includes.push(include);
      used.push([full, value]);
      continue;
    }
    const { name, modifier } = takeApart(full, filters);
    if (modifier === foreign) {
      if (lenient) continue;
      throw acrossRecords(full);
    }
    const parameter = filters.get(name);
    const shaper = shapers.get(name);
    if (!parameter && !shaper) {
      if (lenient) continue;
      throw unknown(type, full, [...filters.keys(), ...shapers.keys()]);
    }
    checkModifier(parameter ?? shaper, modifier);
    if (value.trim() === '') throw badValue(full, searchMessages.noValue({ name: full }));
    if (parameter) terms.push(...readTerms({ type, parameter, modifier, value, base, now }));
    else if (results.has(name)) throw badValue(name, searchMessages.repeated({ name }));
    else results.set(name, value);
    names.add(name);
    used.push([full, value]);
  }
  if (terms.reduce((sum, term) => sum + ('anyOf' in term ? term.anyOf.length : 1), 0) > mostValues) {
    throw new FhirError('too-costly', searchMessages.tooManyValues({ n: mostValues }));
  }
  const { needsSubject } = definitionOf(type);
  if (requireSubject && needsSubject && !namingSubject.some((name) => names.has(name))) {
    throw new FhirError('required', {
      ...searchMessages.subjectRequired({ type, names: formatList(namingSubject, 'disjunction') }),
      location: 'http.subject',
    });
  }
  const read = readResults(type, results);
  return { type, terms, ...read, includes, used: used.map((pair) => shown(pair, read.count)) };
}

/** The parameters that add records which are no matches. */
const adding = new Set(['_include', '_revinclude']);

function isInclude(full: string): boolean {
  return adding.has(full.replace(/:.*$/s, ''));
}

/**
 * Reads `_include` or `_revinclude` (FHIR R4 search.html#include), row 66; undefined where it is not offered and a lenient
 * client has it left out.
 *
 * @throws FhirError `not-accepted`.
 */
export function readInclude(
  type: ResourceType,
  full: string,
  value: string,
  lenient: boolean,
): Include | undefined {
  const [source, name, target = type, ...rest] = value.split(':');
  const parameter = includesOf[type].find((one) => one.name === name);
  if (parameter && adding.has(full) && source === type && target === type && rest.length === 0) {
    return { parameter, reverse: full === '_revinclude' };
  }
  if (lenient) return undefined;
  throw new FhirError('not-accepted', { ...refusedInclude(type, full, value), location: locationOf(full) });
}

/** Repeats an inclusion only if it has the form of one. */
function refusedInclude(type: ResourceType, full: string, value: string): Message {
  const isPlain = [full, value].every((one) => /^[A-Za-z_*][A-Za-z0-9_:*-]{0,99}$/.test(one));
  const names = formatList(includesOf[type].map((one) => includeName(type, one)));
  const include = `${full}=${value}`;
  if (names === '') {
    return isPlain ? searchMessages.includeAny({ include, type }) : searchMessages.otherIncludeAny({ type });
  }
  return isPlain
    ? searchMessages.include({ include, type, names })
    : searchMessages.otherInclude({ type, names });
}

/** A page that is larger than any is shown in `self` as the size that is used. */
function shown([name, value]: Pair, count: number | undefined): Pair {
  return [name, name === '_count' && count !== undefined ? String(count) : value];
}

/** Stands for the modifier of what asks across records, and is no name of one. */
const foreign = '.';

function takeApart(full: string, filters: ReadonlyMap<string, SearchParameter>) {
  const [, name = full, rest = ''] = /^([^:.]*)(.*)$/s.exec(full) ?? [];
  const chained = rest.includes('.') && filters.get(name)?.type === 'reference';
  if (name === '_has' || chained) return { name, modifier: foreign };
  if (rest.startsWith('.')) return { name: full, modifier: undefined };
  return { name, modifier: rest === '' ? undefined : rest.slice(1) };
}

/** Row 66: `_has` and chained parameters. */
function acrossRecords(full: string): FhirError {
  const location = locationOf(full);
  const isPlain = location === `http.${full}`;
  const message = isPlain
    ? searchMessages.acrossRecords({ name: full })
    : searchMessages.otherAcrossRecords();
  return new FhirError('not-accepted', { ...message, location });
}

/** FHIR R4 search.html#modifiers, types aside. */
const knownModifiers = new Set(
  'missing exact contains text not above below in not-in of-type identifier type iterate'.split(' '),
);

function checkModifier(
  parameter: SearchParameter | ResultParameter | undefined,
  modifier: string | undefined,
): void {
  if (!parameter || modifier === undefined) return;
  const offered = 'modifiers' in parameter ? parameter.modifiers : [];
  if (offered.includes(modifier)) return;
  const message = refusedModifier(parameter.name, modifier, formatList(modifierList(offered)));
  throw new FhirError('not-accepted', { ...message, location: `http.${parameter.name}` });
}

/** Repeats a modifier only if R4 has it. */
function refusedModifier(name: string, modifier: string, modifiers: string): Message {
  const isKnown = knownModifiers.has(modifier);
  if (modifiers === '') {
    return isKnown
      ? searchMessages.modifierAny({ modifier, name })
      : searchMessages.otherModifierAny({ name });
  }
  return isKnown
    ? searchMessages.modifier({ modifier, name, modifiers })
    : searchMessages.otherModifier({ name, modifiers });
}

function unknown(type: ResourceType, name: string, offered: readonly string[]): FhirError {
  return new FhirError('not-accepted', {
    ...searchMessages.unknown({ type, names: formatList(offered) }),
    location: locationOf(name),
  });
}
