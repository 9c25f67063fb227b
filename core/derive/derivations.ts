import { indexKey, searchParametersOf, type SearchParameter } from '../api/parameters.ts';
import { isResourceType, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { stamps } from './generated/stamps.js';

/** One part of what is derived, and the stamp of how: another stamp, and other rows may come of the same record. */
export interface Derivation {
  /** An index key (`CarePlan.subject`), {@link sortPart} or {@link rulesPart}. */
  readonly name: string;
  readonly stamp: string;
}

/** The part of a type's sort columns. */
export function sortPart(type: ResourceType): string {
  return `${type}/sort`;
}

/** The part of what the rules find in records of a type. */
export function rulesPart(type: ResourceType): string {
  return `${type}/rules`;
}

/** Whether a part is of records of a type. */
export function isPartOf(name: string, type: ResourceType): boolean {
  return name.startsWith(`${type}.`) || name.startsWith(`${type}/`);
}

/** All parts: one for each index key, and for each type one of its sort columns and one of its rules. */
export const derivations: readonly Derivation[] = resourceTypes.flatMap((type) => {
  const indexed = indexedParameters(type);
  const sorts = indexed.flatMap(([, parameter]) => (parameter.sort ? described(type, parameter) : []));
  return [
    ...indexed.map(([name, parameter]) => {
      const parser = stamps.index[parameter.type] ?? stamps.index.any;
      return { name, stamp: hashOf([parser, described(type, parameter)]) };
    }),
    { name: sortPart(type), stamp: hashOf([stamps.sort, ...sorts]) },
    { name: rulesPart(type), stamp: hashOf([stamps.rules]) },
  ];
});

/** What the rules of all types are told by, for a person. */
export const rulesStamp = hashOf([stamps.rules]).slice(0, 8);

/** The parameter that makes the rows of each index key: of several, the one that the key is named after. */
function indexedParameters(type: ResourceType): [string, SearchParameter][] {
  const found = new Map<string, SearchParameter>();
  for (const parameter of searchParametersOf(type)) {
    if (parameter.column !== undefined) continue;
    const key = indexKey(type, parameter);
    if (!found.has(key) || key === `${type}.${parameter.name}`) found.set(key, parameter);
  }
  return [...found];
}

/** A parameter's definition as one text: what is for readers left out, and what is said of another type. */
function described(type: ResourceType, parameter: SearchParameter): string {
  return JSON.stringify(parameter, (name, value: unknown) => {
    if (name === 'text' || name === 'description') return undefined;
    if (typeof value === 'function') throw new TypeError('A search parameter is defined by data alone');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const names = Object.keys(value);
    const own: unknown = Reflect.get(value, type);
    return names.length > 0 && names.every(isResourceType) ? own : value;
  });
}

/** FNV-1a, 64 bits: tells one derivation from another, and guards against nobody. */
function hashOf(texts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of texts.join('\n')) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
