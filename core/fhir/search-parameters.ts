import type { ParameterType, R4Parameter } from '../types/definition/r4-type.ts';
import type { SortValue } from '../types/definition/type-definition.ts';
import { r4Types } from '../types/generated/r4-types.ts';
import { definitionOf, perType, resourceTypes, type ResourceType } from './resource.ts';

/** Search type of FHIR R4 valueset-search-param-type.html, for CapabilityStatement and OpenAPI. */
type SearchType = ParameterType | 'number' | 'special';

/** A column of the record itself, which needs no index rows. */
export type RecordColumn = '_id' | '_lastUpdated';

/** A search parameter that filters (FHIR R4 search.html): R4's definition and the supported modifiers. */
export interface SearchParameter extends R4Parameter {
  readonly name: string;
  readonly column?: RecordColumn;
  readonly modifiers: readonly string[];
  /** Sort key of the parameter; absent if `_sort` does not accept it. */
  readonly sort?: RecordColumn | SortValue;
}

/** Interactions with responses that parameters shape. */
export type Shaped = 'search' | 'history' | 'read';

/** A parameter that shapes the response and filters nothing. */
export interface ResultParameter {
  readonly name: string;
  readonly type: SearchType;
  readonly interactions: readonly Shaped[];
  /** The allowed values if they are few. */
  readonly values?: readonly string[];
  readonly text: string;
}

/** Prefixes of a date (FHIR R4 search.html#prefix). */
export const datePrefixes = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const;
export type DatePrefix = (typeof datePrefixes)[number];

/** Types whose values have texts in addition to their codes (FHIR R4 search.html#modifiers). */
const concepts = new Set(['CodeableConcept', 'Coding', 'Identifier']);

/** Parameters that need no index rows. */
const columns: readonly RecordColumn[] = ['_id', '_lastUpdated'];

const parameters = perType((type): readonly SearchParameter[] => [
  ...columns.map((name) => ({ ...ofR4(type, name), name, column: name, modifiers: [], sort: name })),
  ...Object.keys(definitionOf(type).parameterNumbers).map((name) => {
    const parameter = ofR4(type, name);
    const sort = definitionOf(type).sort[name];
    return { ...parameter, name, modifiers: modifiersOf(parameter), ...(sort && { sort }) };
  }),
]);

/**
 * Returns R4's definition of a parameter.
 *
 * @throws TypeError if the generated definitions lack the parameter.
 */
function ofR4(type: ResourceType, name: string): R4Parameter {
  const parameter = r4Types[type]?.parameters[name];
  if (!parameter) throw new TypeError(`R4's definitions have no ${type}.${name}`);
  return parameter;
}

/** Returns the FHIR types of the elements of a parameter. */
export function leavesOf({ path }: R4Parameter): string[] {
  return Object.values(path.at(-1) ?? {});
}

/** Returns whether a token's elements have texts for `:text`. */
function hasTexts(parameter: R4Parameter): boolean {
  return parameter.type === 'token' && leavesOf(parameter).some((leaf) => concepts.has(leaf));
}

/** Returns whether a reference's elements can have an identifier instead of a literal, for `:identifier`. */
function hasIdentifiers(parameter: R4Parameter): boolean {
  return parameter.type === 'reference' && leavesOf(parameter).includes('Reference');
}

/** Returns the supported modifiers of a parameter (FHIR R4 search.html#modifiers). */
function modifiersOf(parameter: R4Parameter): string[] {
  const { type, only: onlyTarget, targets = [] } = parameter;
  switch (type) {
    case 'reference':
      if (!hasIdentifiers(parameter)) return ['missing'];
      return [...(onlyTarget === undefined ? targets : []), 'identifier', 'missing'];
    case 'token':
      return ['not', ...(hasTexts(parameter) ? ['text'] : []), 'missing'];
    case 'string':
      return ['exact', 'contains', 'missing'];
    case 'date':
    case 'uri':
      return ['missing'];
  }
}

/** Parameters for `_include` and `_revinclude`: references of a type to records of the same type (row 66). */
export const includesOf = perType((type): readonly SearchParameter[] =>
  parameters[type].filter(
    ({ targets = [] }) => targets.length > 0 && targets.every((target) => target === type),
  ),
);

/** Returns the name of a parameter in `_include` (FHIR R4 search.html#include). */
export function includeName(type: ResourceType, { name }: SearchParameter): string {
  return `${type}:${name}`;
}

/** All parameters that shape the response of a search or of a history. */
export const resultParameters: readonly ResultParameter[] = [
  {
    name: '_count',
    type: 'number',
    interactions: ['search', 'history'],
    text: 'Records per page, 1 to 1000. Larger numbers count as 1000; 0 returns only the total.',
  },
  {
    name: '_cursor',
    type: 'special',
    interactions: ['search', 'history'],
    text: 'Start of the page; taken from a link in a response.',
  },
  {
    name: '_sort',
    type: 'special',
    interactions: ['search'],
    text: 'Sort order: names separated by commas, each with - in front for descending.',
  },
  {
    name: '_summary',
    type: 'special',
    interactions: ['search', 'read'],
    values: ['true', 'text', 'data', 'count', 'false'],
    text: 'Which part of each record is returned.',
  },
  {
    name: '_elements',
    type: 'special',
    interactions: ['search', 'read'],
    text: 'Top-level elements to return, separated by commas. Required ones are always included.',
  },
  {
    name: '_total',
    type: 'special',
    interactions: ['search'],
    values: ['none', 'estimate', 'accurate'],
    text: 'none omits the total; otherwise it is exact.',
  },
  {
    name: '_include',
    type: 'special',
    interactions: ['search'],
    text: 'Adds the records that matches reference, outside the total. Can be repeated.',
  },
  {
    name: '_revinclude',
    type: 'special',
    interactions: ['search'],
    text: 'Adds the records that reference the matches, outside the total. Can be repeated.',
  },
  {
    name: '_since',
    type: 'special',
    interactions: ['history'],
    text: 'An instant: versions stored since then.',
  },
  {
    name: '_format',
    type: 'special',
    interactions: ['search', 'history', 'read'],
    text: 'json, application/json or application/fhir+json.',
  },
  {
    name: '_pretty',
    type: 'special',
    interactions: ['search', 'history', 'read'],
    values: ['true', 'false'],
    text: 'Whether the response is formatted for reading.',
  },
];

/** Returns the supported modifiers for display. More than a dozen types are shown as `[type]`. */
export function modifierList(modifiers: readonly string[]): string[] {
  const types = modifiers.filter((modifier) => /^[A-Z]/.test(modifier));
  const listedModifiers =
    types.length > 12 ? ['[type]', ...modifiers.filter((modifier) => !types.includes(modifier))] : modifiers;
  return listedModifiers.map((modifier) => `:${modifier}`);
}

/** Returns the parameters that filter searches of a type. */
export function searchParametersOf(type: ResourceType): readonly SearchParameter[] {
  return parameters[type];
}

/** Returns the parameter with this name; undefined if the type has none. */
export function searchParameterOf(type: ResourceType, name: string): SearchParameter | undefined {
  return parameters[type].find((parameter) => parameter.name === name);
}

/** The parameters of all types, each name once. If types differ, the first one counts. */
export const searchParameters: readonly SearchParameter[] = [
  ...new Map(
    resourceTypes
      .toReversed()
      .flatMap((type) =>
        parameters[type].toReversed().map((parameter) => [parameter.name, parameter] as const),
      ),
  ).values(),
].toReversed();

/** Returns the parameters that shape responses of an interaction. */
export function resultParametersOf(interaction: Shaped): ResultParameter[] {
  return resultParameters.filter(({ interactions }) => interactions.includes(interaction));
}

/**
 * For each type, the names of the parameters that own index rows, by number. The first name with a number owns the
 * rows.
 */
const originals = perType((type) => {
  const numbers = Object.entries(definitionOf(type).parameterNumbers).toReversed();
  return new Map(numbers.map(([name, number]) => [number, name]));
});

/**
 * Returns the key of a parameter's index rows, its type and name: `CarePlan.subject`. An alias has the key of its
 * original.
 */
export function indexKey(type: ResourceType, { name }: SearchParameter): string {
  return `${type}.${originals[type].get(definitionOf(type).parameterNumbers[name] ?? 0) ?? name}`;
}

/** Returns the parameters with index rows of their own: no columns of the record, and no aliases. */
export function indexedParametersOf(type: ResourceType): readonly SearchParameter[] {
  return parameters[type].filter(
    (parameter) =>
      parameter.column === undefined && indexKey(type, parameter) === `${type}.${parameter.name}`,
  );
}

const keyNumbers: ReadonlyMap<string, number> = new Map(
  resourceTypes.flatMap((type) =>
    Object.entries(definitionOf(type).parameterNumbers).map(
      ([name, number]) => [`${type}.${name}`, number] as const,
    ),
  ),
);

/**
 * Returns the number of an index key in the file. Keys as text would repeat in each row and slow down every
 * comparison.
 *
 * @throws TypeError for a key without a number.
 */
export function keyNumber(key: string): number {
  const number = keyNumbers.get(key);
  if (number === undefined) throw new TypeError(`The index key ${key} has no number`);
  return number;
}

/** The index keys of the subjects of all types. */
export const subjectKeys: readonly string[] = resourceTypes.flatMap((type) => {
  const subject = searchParameterOf(type, 'subject');
  return subject ? [indexKey(type, subject)] : [];
});

/**
 * Returns how few records share a value of an index key, whatever the size of the store: 1 for an identifier, 2 for
 * an encounter or another record, 3 for a person.
 *
 * @returns undefined if many records may share a value.
 */
export function getSelectivity(key: string): number | undefined {
  return rarities.get(key);
}

/** Returns whether a record has at most one row with this index key. */
export function isSingle(key: string): boolean {
  return singleKeys.has(key);
}

const fewTargets = new Set<string>(['Encounter', ...resourceTypes]);

/** Returns whether a reference only refers to resources with few records: an encounter, or another record. */
function isOfFew({ targets = [] }: SearchParameter): boolean {
  return targets.length > 0 && targets.every((target) => fewTargets.has(target));
}

function keysOf(meets: (parameter: SearchParameter) => boolean): string[] {
  return resourceTypes.flatMap((type) =>
    parameters[type].filter(meets).map((parameter) => indexKey(type, parameter)),
  );
}

const rarities = new Map([
  ...keysOf(({ name }) => name === 'subject').map((key) => [key, 3] as const),
  ...keysOf(isOfFew).map((key) => [key, 2] as const),
  ...keysOf((parameter) => leavesOf(parameter).includes('Identifier')).map((key) => [key, 1] as const),
]);

const singleKeys = new Set(keysOf(({ single }) => single === true));
