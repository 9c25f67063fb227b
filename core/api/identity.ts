/**
 * Checks that a response contains the requested records. Remote servers are not trusted
 * (docs/decisions/0028).
 */
import { isResourceType } from '../fhir/resource.ts';
import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import { maxDepth, tryScan } from '../json/scan.ts';

/** Identity that a response must have. */
export interface ExpectedIdentity {
  /** Absent for any supported type. */
  readonly type?: string;
  readonly id?: string;
  readonly version?: string;
  /** Expects a Bundle of such records instead of a single one. */
  readonly list?: true;
}

/** Maximum depth of a Bundle, which nests its resources three levels deeper. */
export const bundleDepth = maxDepth + 3;

/** Returns true if a resource is the expected one. Its version id may be missing. */
export function matchesIdentity(
  resource: JsonNode | undefined,
  { type, id, version }: ExpectedIdentity,
): boolean {
  const resourceType = stringMember(resource, 'resourceType') ?? '';
  if (type === undefined ? !isResourceType(resourceType) : resourceType !== type) return false;
  if (id !== undefined && stringMember(resource, 'id') !== id) return false;
  const versionId = versionIdOf(resource);
  return version === undefined || versionId === undefined || versionId === version;
}

/** Returns the version id of a record. */
export function versionIdOf(resource: JsonNode | undefined): string | undefined {
  return stringMember(member(resource, 'meta'), 'versionId');
}

/** Returns true if a Bundle has only expected resources, outcomes and included resources. */
export function listMatchesIdentity(bundle: JsonNode, expected: ExpectedIdentity): boolean {
  return items(member(bundle, 'entry')).every((entry) => {
    const resource = member(entry, 'resource');
    return !resource || isAside(entry) || matchesIdentity(resource, expected);
  });
}

/** Returns true if a Bundle entry is an outcome or an included resource. */
export function isAside(entry: JsonNode): boolean {
  const mode = stringMember(member(entry, 'search'), 'mode');
  return mode === 'include' || stringMember(member(entry, 'resource'), 'resourceType') === 'OperationOutcome';
}

/** Relation of a text to a request. */
export type Identity = 'asked' | 'outcome' | 'stray' | 'no FHIR';

/**
 * Classifies a text. Duplicate members count as `no FHIR`, because parsers read them as different records.
 */
export function identify(text: string, expected: ExpectedIdentity | undefined): Identity {
  const { root, problems } = tryScan(text, bundleDepth);
  const type = stringMember(root, 'resourceType');
  const isAmbiguous = problems.some(({ kind }) => kind === 'duplicate-key');
  if (!root || type === undefined || isAmbiguous) return 'no FHIR';
  if (type === 'OperationOutcome') return 'outcome';
  if (!expected) return 'asked';
  const isExpected = expected.list
    ? type === 'Bundle' && listMatchesIdentity(root, expected)
    : matchesIdentity(root, expected);
  return isExpected ? 'asked' : 'stray';
}
