import type { ParameterType, R4Parameter } from '../types/definition/r4-type.ts';
import type { SortValue } from '../types/definition/type-definition.ts';
import { r4Types } from '../types/generated/r4-types.ts';
import { definitionOf, perType, resourceTypes, type ResourceType } from './resource.ts';

/** Search type of FHIR R4 valueset-search-param-type.html, as CapabilityStatement and OpenAPI name it. */
type SearchType = ParameterType | 'number' | 'special';

/** A column of the record itself, in place of index rows. */
export type RecordColumn = '_id' | '_lastUpdated';

/** A search parameter that filters (FHIR R4 search.html): R4's definition of it, and what is offered of it. */
export interface SearchParameter extends R4Parameter {
  readonly name: string;
  readonly column?: RecordColumn;
  readonly modifiers: readonly string[];
  /** What `_sort` compares, where it takes the parameter. */
  readonly sort?: RecordColumn | SortValue;
}

/** Interactions whose answers parameters shape. */
export type Shaped = 'search' | 'history' | 'read';

/** A parameter that shapes the answer and filters nothing. */
export interface ResultParameter {
  readonly name: string;
  readonly type: SearchType;
  readonly on: readonly Shaped[];
  /** The values that are taken, where they are few. */
  readonly values?: readonly string[];
  readonly text: string;
}

/** Prefixes of a date (FHIR R4 search.html#prefix). */
export const datePrefixes = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap'] as const;
export type DatePrefix = (typeof datePrefixes)[number];

/** The types whose values have texts beside their codes (FHIR R4 search.html#modifiers). */
const concepts = new Set(['CodeableConcept', 'Coding', 'Identifier']);

/** The parameters that need no index rows. */
const columns: readonly RecordColumn[] = ['_id', '_lastUpdated'];

const parameters = perType((type): readonly SearchParameter[] => [
  ...columns.map((name) => ({ ...ofR4(type, name), name, column: name, modifiers: [], sort: name })),
  ...Object.keys(definitionOf(type).parameters).map((name) => {
    const parameter = ofR4(type, name);
    const sort = definitionOf(type).sort[name];
    return { ...parameter, name, modifiers: modifiersOf(parameter), ...(sort && { sort }) };
  }),
]);

/** @throws TypeError where R4's definitions were made without the parameter. */
function ofR4(type: ResourceType, name: string): R4Parameter {
  const parameter = r4Types[type]?.parameters[name];
  if (!parameter) throw new TypeError(`R4's definitions hold no ${type}.${name}`);
  return parameter;
}

/** The FHIR types of the elements that a parameter looks at. */
export function leavesOf({ path }: R4Parameter): string[] {
  return Object.values(path.at(-1) ?? {});
}

/** Whether a token's elements have texts, which `:text` looks at. */
function hasTexts(parameter: R4Parameter): boolean {
  return parameter.type === 'token' && leavesOf(parameter).some((leaf) => concepts.has(leaf));
}

/** Whether a reference's elements may hold an identifier in place of a literal, which `:identifier` looks at. */
function hasIdentifiers(parameter: R4Parameter): boolean {
  return parameter.type === 'reference' && leavesOf(parameter).includes('Reference');
}

/** FHIR R4 search.html#modifiers. */
function modifiersOf(parameter: R4Parameter): string[] {
  const { type, only, targets = [] } = parameter;
  switch (type) {
    case 'reference':
      if (!hasIdentifiers(parameter)) return ['missing'];
      return [...(only === undefined ? targets : []), 'identifier', 'missing'];
    case 'token':
      return ['not', ...(hasTexts(parameter) ? ['text'] : []), 'missing'];
    case 'string':
      return ['exact', 'contains', 'missing'];
    case 'date':
    case 'uri':
      return ['missing'];
  }
}

/** Row 66: what `_include` and `_revinclude` take of a type, its references to records of the same type. */
export const includesOf = perType((type): readonly SearchParameter[] =>
  parameters[type].filter(({ targets = [] }) => targets.length > 0 && targets.every((one) => one === type)),
);

/** As `_include` names it (FHIR R4 search.html#include). */
export function includeName(type: ResourceType, { name }: SearchParameter): string {
  return `${type}:${name}`;
}

/** All parameters that shape the answer of a search or of a history. */
export const resultParameters: readonly ResultParameter[] = [
  {
    name: '_count',
    type: 'number',
    on: ['search', 'history'],
    text: 'Records per page, 1 to 1000. Larger numbers count as 1000; 0 returns only the total.',
  },
  {
    name: '_cursor',
    type: 'special',
    on: ['search', 'history'],
    text: 'Start of the page; taken from a link in a response.',
  },
  {
    name: '_sort',
    type: 'special',
    on: ['search'],
    text: 'Sort order: names separated by commas, each with - in front for descending.',
  },
  {
    name: '_summary',
    type: 'special',
    on: ['search', 'read'],
    values: ['true', 'text', 'data', 'count', 'false'],
    text: 'Which part of each record is returned.',
  },
  {
    name: '_elements',
    type: 'special',
    on: ['search', 'read'],
    text: 'Top-level elements to return, separated by commas. Required ones are always included.',
  },
  {
    name: '_total',
    type: 'special',
    on: ['search'],
    values: ['none', 'estimate', 'accurate'],
    text: 'none leaves out the total; otherwise it is exact.',
  },
  {
    name: '_include',
    type: 'special',
    on: ['search'],
    text: 'Adds the records that matches reference, outside the total. Can be repeated.',
  },
  {
    name: '_revinclude',
    type: 'special',
    on: ['search'],
    text: 'Adds the records that reference the matches, outside the total. Can be repeated.',
  },
  {
    name: '_since',
    type: 'special',
    on: ['history'],
    text: 'An instant: versions stored since then.',
  },
  {
    name: '_format',
    type: 'special',
    on: ['search', 'history', 'read'],
    text: 'json, application/json or application/fhir+json.',
  },
  {
    name: '_pretty',
    type: 'special',
    on: ['search', 'history', 'read'],
    values: ['true', 'false'],
    text: 'Whether the response is formatted for reading.',
  },
];

/** The modifiers that are offered, as they are written: a dozen types are a list to choose from, all of R4's are any. */
export function modifierList(modifiers: readonly string[]): string[] {
  const types = modifiers.filter((one) => /^[A-Z]/.test(one));
  const shown =
    types.length > 12 ? ['[type]', ...modifiers.filter((one) => !types.includes(one))] : modifiers;
  return shown.map((one) => `:${one}`);
}

/** The parameters that filter searches of a type. */
export function searchParametersOf(type: ResourceType): readonly SearchParameter[] {
  return parameters[type];
}

/** The parameter of that name; undefined where the type has none. */
export function searchParameterOf(type: ResourceType, name: string): SearchParameter | undefined {
  return parameters[type].find((one) => one.name === name);
}

/** The parameters of all types, each name once; where types differ, as the first of them has it. */
export const searchParameters: readonly SearchParameter[] = [
  ...new Map(
    resourceTypes
      .toReversed()
      .flatMap((type) => parameters[type].toReversed().map((one) => [one.name, one] as const)),
  ).values(),
].toReversed();

/** The parameters that shape answers of an interaction. */
export function resultParametersOf(interaction: Shaped): ResultParameter[] {
  return resultParameters.filter(({ on }) => on.includes(interaction));
}

/** By type, the name of the parameter whose rows stand for a number: the first that has it. */
const originals = perType((type) => {
  const numbers = Object.entries(definitionOf(type).parameters).toReversed();
  return new Map(numbers.map(([name, number]) => [number, name]));
});

/** What names a parameter's index rows, its type and name: `CarePlan.subject`. An alias has its original's. */
export function indexKey(type: ResourceType, { name }: SearchParameter): string {
  return `${type}.${originals[type].get(definitionOf(type).parameters[name] ?? 0) ?? name}`;
}

/** The parameters that have index rows of their own: no column of the record, and no alias. */
export function indexedParametersOf(type: ResourceType): readonly SearchParameter[] {
  return parameters[type].filter(
    (one) => one.column === undefined && indexKey(type, one) === `${type}.${one.name}`,
  );
}

const keyNumbers: ReadonlyMap<string, number> = new Map(
  resourceTypes.flatMap((type) =>
    Object.entries(definitionOf(type).parameters).map(
      ([name, number]) => [`${type}.${name}`, number] as const,
    ),
  ),
);

/**
 * The number that stands for an index key in the file: as text the same few would stand in front of each row, and each
 * step through a tree would compare them.
 *
 * @throws TypeError for a key without a number.
 */
export function keyNumber(key: string): number {
  const number = keyNumbers.get(key);
  if (number === undefined) throw new TypeError(`The index key ${key} has no number`);
  return number;
}

/** The index keys of what records are about, of all types. */
export const subjectKeys: readonly string[] = resourceTypes.flatMap((type) => {
  const subject = searchParameterOf(type, 'subject');
  return subject ? [indexKey(type, subject)] : [];
});

/**
 * How rare the records are that share a value of the index key, whatever the size of the store: 1 for what names one
 * record, 2 for a visit or another record, 3 for a person; undefined where many may share it.
 */
export function getSelectivity(key: string): number | undefined {
  return rarities.get(key);
}

/** Whether the element of the index key is there once at most, so that a record has one row of it. */
export function isSingle(key: string): boolean {
  return singleKeys.has(key);
}

const fewTargets = new Set<string>(['Encounter', ...resourceTypes]);

/** Whether a reference leads to what has few records: a visit, or another record. */
function isOfFew({ targets = [] }: SearchParameter): boolean {
  return targets.length > 0 && targets.every((target) => fewTargets.has(target));
}

function keysOf(meets: (parameter: SearchParameter) => boolean): string[] {
  return resourceTypes.flatMap((type) => parameters[type].filter(meets).map((one) => indexKey(type, one)));
}

const rarities = new Map([
  ...keysOf(({ name }) => name === 'subject').map((key) => [key, 3] as const),
  ...keysOf(isOfFew).map((key) => [key, 2] as const),
  ...keysOf((one) => leavesOf(one).includes('Identifier')).map((key) => [key, 1] as const),
]);

const singleKeys = new Set(keysOf(({ single }) => single === true));
