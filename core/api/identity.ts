/** Whether an answer is about what was asked for: another server is not believed (docs/decisions/0028). */
import { isResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { maxDepth, tryScan } from '../json/scan.ts';

/** What the answer to a request must be. */
export interface Asked {
  /** Where it is not known, each type that is offered. */
  readonly type?: string;
  readonly id?: string;
  /** As the server calls it. */
  readonly version?: string;
  /** A Bundle of such records instead of one. */
  readonly list?: true;
}

/** A Bundle nests its resources three levels deeper than they stand alone. */
export const bundleDepth = maxDepth + 3;

/** Whether a resource is the one, or of the kind, that was asked for; a record need not name its version. */
export function isAsked(resource: JsonNode | undefined, { type, id, version }: Asked): boolean {
  const found = stringMember(resource, 'resourceType') ?? '';
  if (type === undefined ? !isResourceType(found) : found !== type) return false;
  if (id !== undefined && stringMember(resource, 'id') !== id) return false;
  const held = versionIdOf(resource);
  return version === undefined || held === undefined || held === version;
}

/** The version that a record says it is. */
export function versionIdOf(resource: JsonNode | undefined): string | undefined {
  return stringMember(member(resource, 'meta'), 'versionId');
}

/** Whether a Bundle lists what was asked for, and beside it nothing but outcomes and what it says it included. */
export function listsAsked(bundle: JsonNode, asked: Asked): boolean {
  return items(member(bundle, 'entry')).every((entry) => {
    const resource = member(entry, 'resource');
    return !resource || isAside(entry) || isAsked(resource, asked);
  });
}

/** Whether an entry of a Bundle stands beside those that were asked for. */
export function isAside(entry: JsonNode): boolean {
  const mode = stringMember(member(entry, 'search'), 'mode');
  return mode === 'include' || stringMember(member(entry, 'resource'), 'resourceType') === 'OperationOutcome';
}

/** What a text is to a request. */
export type Identity = 'asked' | 'outcome' | 'stray' | 'no FHIR';

/** Reads a text exactly; one that names a property twice may be read as two different records, and counts as none. */
export function identify(text: string, asked: Asked | undefined): Identity {
  const { root, faults } = tryScan(text, bundleDepth);
  const type = stringMember(root, 'resourceType');
  const isAmbiguous = faults.some(({ kind }) => kind === 'duplicate-key');
  if (!root || type === undefined || isAmbiguous) return 'no FHIR';
  if (type === 'OperationOutcome') return 'outcome';
  if (!asked) return 'asked';
  const found = asked.list ? type === 'Bundle' && listsAsked(root, asked) : isAsked(root, asked);
  return found ? 'asked' : 'stray';
}
