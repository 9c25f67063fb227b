import { definitionOf, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { indexedParametersOf, indexKey, type SearchParameter } from '../fhir/search-parameters.ts';
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
  const indexed = indexedParametersOf(type);
  const { status, title } = definitionOf(type).summary;
  const dated = indexed.filter(({ sort }) => sort === 'date').map(described);
  return [
    ...indexed.map((one) => ({
      name: indexKey(type, one),
      stamp: hashOf([stamps.index[one.type] ?? stamps.index.any, described(one)]),
    })),
    { name: sortPart(type), stamp: hashOf([stamps.sort, status, title[0] ?? '', ...dated]) },
    { name: rulesPart(type), stamp: hashOf([stamps.rules]) },
  ];
});

/** What judging by profiles is told by, whatever the profiles are. */
export const profilesStamp = stamps.profiles;

/** What the rules of all types are told by, for a person. */
export const rulesStamp = hashOf([stamps.rules]).slice(0, 8);

/** What the finder looks in is told by: the readers, and where the definitions say that a record's facts stand. */
export const textsStamp = hashOf([
  stamps.texts,
  ...resourceTypes.map((type) => JSON.stringify([type, definitionOf(type).summary])),
]);

/** What of a parameter's definition its rows depend on. */
function described({ type, path }: SearchParameter): string {
  return JSON.stringify([type, path]);
}

/** FNV-1a, 64 bits: tells one derivation from another, and guards against nobody. */
function hashOf(texts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of texts.join('\n')) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
