import { formatList } from '../text/language.ts';
import type { Message } from '../text/message.ts';
import { isBatchId } from './origin.ts';
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

/** Name and value as in the query. */
export type Pair = readonly [name: string, value: string];

export interface ReadOptions {
  /** `Prefer: handling=lenient`: ignore unknown parameters. */
  readonly lenient?: boolean;
  /** Absolute base URL of the records. References to it equal relative references. */
  readonly base?: string;
  /** True if a search must name its subject, for types that need one. */
  readonly requireSubject?: boolean;
  /** Milliseconds since the epoch; decides the width of `ap`. */
  readonly now: number;
}

/** Maximum number of values of a search; more would exceed the joins of one SQLite statement. */
const maxValues = 250;

/** Parameters that name the subject of a search. */
export const namingSubject: readonly string[] = ['subject', 'patient', '_id'];

const filtersOf = perType((type) => byName(searchParametersOf(type)));
const shapers = byName(resultParametersOf('search'));

function byName<Parameter extends { readonly name: string }>(
  parameters: readonly Parameter[],
): ReadonlyMap<string, Parameter> {
  return new Map(parameters.map((parameter) => [parameter.name, parameter]));
}

/**
 * Parses the query of a search (FHIR R4 search.html).
 *
 * @throws FhirError `not-accepted` for an unknown parameter, modifier or order, `value` for an unusable value,
 * `required` for a search without a required subject, `too-costly` for too many values.
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
  const usedPairs: Pair[] = [];
  for (const [full, value] of pairs) {
    if (isInclude(full)) {
      const include = readInclude(type, full, value, lenient);
      if (!include) continue;
      includes.push(include);
      usedPairs.push([full, value]);
      continue;
    }
    if (full === batchParameter) {
      terms.push(readBatchTerm(value));
      usedPairs.push([full, value]);
      continue;
    }
    const { name, modifier } = splitName(full, filters);
    if (modifier === foreign) {
      if (lenient) continue;
      throw createAcrossRecordsError(full);
    }
    const parameter = filters.get(name);
    const shaper = shapers.get(name);
    if (!parameter && !shaper) {
      if (lenient) continue;
      throw createUnknownParameterError(type, full, [...filters.keys(), ...shapers.keys()]);
    }
    checkModifier(parameter ?? shaper, modifier);
    if (value.trim() === '') throw badValue(full, searchMessages.noValue({ name: full }));
    if (parameter) terms.push(...readTerms({ type, parameter, modifier, value, base, now }));
    else if (results.has(name)) throw badValue(name, searchMessages.repeated({ name }));
    else results.set(name, value);
    names.add(name);
    usedPairs.push([full, value]);
  }
  if (terms.reduce((sum, term) => sum + ('values' in term ? term.values.length : 1), 0) > maxValues) {
    throw new FhirError('too-costly', searchMessages.tooManyValues({ n: maxValues }));
  }
  const { needsSubject } = definitionOf(type);
  if (requireSubject && needsSubject && !namingSubject.some((name) => names.has(name))) {
    throw new FhirError('required', {
      ...searchMessages.subjectRequired({ type, names: formatList(namingSubject, 'disjunction') }),
      location: 'http.subject',
    });
  }
  const shape = readResults(type, results);
  return {
    type,
    terms,
    ...shape,
    includes,
    usedPairs: usedPairs.map((pair) => toSelfPair(pair, shape.count)),
  };
}

/** Parameter of this server for the records that an import brought: the UUID of its batch. FHIR has none. */
export const batchParameter = 'import-batch';

function readBatchTerm(value: string): Term {
  const values = value.split(',');
  if (values.every(isBatchId)) return { kind: 'batch', values };
  throw badValue(batchParameter, searchMessages.batch({ name: batchParameter }));
}

/** Parameters that add records to the matches. */
const adding = new Set(['_include', '_revinclude']);

function isInclude(full: string): boolean {
  return adding.has(full.replace(/:.*$/s, ''));
}

/**
 * Parses `_include` or `_revinclude` (FHIR R4 search.html#include; row 66).
 *
 * @returns undefined if the inclusion is not supported and the client is lenient.
 * @throws FhirError `not-accepted`.
 */
export function readInclude(
  type: ResourceType,
  full: string,
  value: string,
  lenient: boolean,
): Include | undefined {
  const [source, name, target = type, ...extraParts] = value.split(':');
  const parameter = includesOf[type].find((candidate) => candidate.name === name);
  if (parameter && adding.has(full) && source === type && target === type && extraParts.length === 0) {
    return { parameter, reverse: full === '_revinclude' };
  }
  if (lenient) return undefined;
  throw new FhirError('not-accepted', {
    ...formatIncludeRejection(type, full, value),
    location: locationOf(full),
  });
}

/** Returns the message for an unsupported inclusion. Repeats it only if it has the form of one. */
function formatIncludeRejection(type: ResourceType, full: string, value: string): Message {
  const isPlain = [full, value].every((part) => /^[A-Za-z_*][A-Za-z0-9_:*-]{0,99}$/.test(part));
  const names = formatList(includesOf[type].map((candidate) => includeName(type, candidate)));
  const include = `${full}=${value}`;
  if (names === '') {
    return isPlain ? searchMessages.includeAny({ include, type }) : searchMessages.otherIncludeAny({ type });
  }
  return isPlain
    ? searchMessages.include({ include, type, names })
    : searchMessages.otherInclude({ type, names });
}

/** Returns a pair of the `self` link. A page size above the limit is replaced by the limit. */
function toSelfPair([name, value]: Pair, count: number | undefined): Pair {
  return [name, name === '_count' && count !== undefined ? String(count) : value];
}

/** Marks a parameter that searches across records. It is not a valid modifier. */
const foreign = '.';

function splitName(full: string, filters: ReadonlyMap<string, SearchParameter>) {
  const [, name = full, suffix = ''] = /^([^:.]*)(.*)$/s.exec(full) ?? [];
  const chained = suffix.includes('.') && filters.get(name)?.type === 'reference';
  if (name === '_has' || chained) return { name, modifier: foreign };
  if (suffix.startsWith('.')) return { name: full, modifier: undefined };
  return { name, modifier: suffix === '' ? undefined : suffix.slice(1) };
}

/** Returns the error for `_has` and chained parameters (row 66). */
function createAcrossRecordsError(full: string): FhirError {
  const location = locationOf(full);
  const isPlain = location === `http.${full}`;
  const message = isPlain
    ? searchMessages.acrossRecords({ name: full })
    : searchMessages.otherAcrossRecords();
  return new FhirError('not-accepted', { ...message, location });
}

/** Modifiers of FHIR R4 search.html#modifiers without types. */
const knownModifiers = new Set(
  'missing exact contains text not above below in not-in of-type identifier type iterate'.split(' '),
);

function checkModifier(
  parameter: SearchParameter | ResultParameter | undefined,
  modifier: string | undefined,
): void {
  if (!parameter || modifier === undefined) return;
  const supportedModifiers = 'modifiers' in parameter ? parameter.modifiers : [];
  if (supportedModifiers.includes(modifier)) return;
  const message = formatModifierRejection(
    parameter.name,
    modifier,
    formatList(modifierList(supportedModifiers)),
  );
  throw new FhirError('not-accepted', { ...message, location: `http.${parameter.name}` });
}

/** Returns the message for an unsupported modifier. Repeats it only if R4 defines it. */
function formatModifierRejection(name: string, modifier: string, modifiers: string): Message {
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

function createUnknownParameterError(
  type: ResourceType,
  name: string,
  supportedNames: readonly string[],
): FhirError {
  return new FhirError('not-accepted', {
    ...searchMessages.unknown({ type, names: formatList(supportedNames) }),
    location: locationOf(name),
  });
}
