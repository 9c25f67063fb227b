import { definitionOf, resourceTypes, type ResourceType } from '../fhir/resource.ts';
import { indexedParametersOf, indexKey, type SearchParameter } from '../fhir/search-parameters.ts';
import { stamps } from './generated/stamps.js';

/**
 * Derived part and the fingerprint of its code. After a change of the fingerprint, the same record may give
 * other rows.
 */
export interface Derivation {
  /** Index key (`CarePlan.subject`), {@link sortPart} or {@link rulesPart}. */
  readonly name: string;
  readonly stamp: string;
}

/** Returns the part name of a type's sort columns. */
export function sortPart(type: ResourceType): string {
  return `${type}/sort`;
}

/** Returns the part name of rule findings in records of a type. */
export function rulesPart(type: ResourceType): string {
  return `${type}/rules`;
}

/** Returns true if a part belongs to a type. */
export function isPartOf(name: string, type: ResourceType): boolean {
  return name.startsWith(`${type}.`) || name.startsWith(`${type}/`);
}

/** All parts: one for each index key, and for each type its sort columns and its rules. */
export const derivations: readonly Derivation[] = resourceTypes.flatMap((type) => {
  const indexedParameters = indexedParametersOf(type);
  const { status, title } = definitionOf(type).summary;
  const dateDefinitions = indexedParameters.filter(({ sort }) => sort === 'date').map(serializeParameter);
  return [
    ...indexedParameters.map((parameter) => ({
      name: indexKey(type, parameter),
      stamp: hashOf([stamps.index[parameter.type] ?? stamps.index.any, serializeParameter(parameter)]),
    })),
    { name: sortPart(type), stamp: hashOf([stamps.sort, status, title[0] ?? '', ...dateDefinitions]) },
    { name: rulesPart(type), stamp: hashOf([stamps.rules]) },
  ];
});

/** Fingerprint of the validation against profiles, independent of the profiles. */
export const profilesFingerprint = stamps.profiles;

/** Short fingerprint of the rules, for users. */
export const rulesFingerprint = hashOf([stamps.rules]).slice(0, 8);

/** Fingerprint of the finder's texts: of its readers, and of the element paths in the definitions. */
export const textsFingerprint = hashOf([
  stamps.texts,
  ...resourceTypes.map((type) => JSON.stringify([type, definitionOf(type).summary])),
]);

/** Returns the members of a parameter's definition that affect its rows. */
function serializeParameter({ type, path }: SearchParameter): string {
  return JSON.stringify([type, path]);
}

/** FNV-1a, 64 bits. Detects changes; not a defense against forgery. */
function hashOf(texts: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of texts.join('\n')) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
