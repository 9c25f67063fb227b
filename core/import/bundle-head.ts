import {
  serializeNode,
  stringMember,
  type JsonMember,
  type JsonNode,
  type JsonObject,
} from '../json/node.ts';
import { objectIn } from '../json/scan.ts';

/** Bundle whose entries are read. Its members can follow its entries, so they are complete at its end only. */
export interface ReadBundle {
  /** Count of the entries so far. */
  entryCount: number;
  /** JSON of the members that a document keeps, without braces. Absent until the end, and for other Bundles. */
  head?: string;
  /** True at the end of the Bundle. */
  isComplete?: true;
}

/** Place of an entry in its Bundle. */
export interface BundlePlace {
  readonly bundle: ReadBundle;
  /** Number of the entry from 0. */
  readonly index: number;
}

/** Members of a document that do not depend on its resources. A signature would not fit their new versions. */
const headMembers: ReadonlySet<string> = new Set(
  ['id', 'meta', 'implicitRules', 'language', 'identifier', 'type', 'timestamp'].flatMap((name) => [
    name,
    `_${name}`,
  ]),
);

/** Returns true for a member of a Bundle that its document keeps. */
export function isHeadMember(key: string): boolean {
  return headMembers.has(key);
}

/** Takes the next place of a Bundle. */
export function nextPlace(bundle: ReadBundle): BundlePlace {
  const place = { bundle, index: bundle.entryCount };
  bundle.entryCount += 1;
  return place;
}

/** Ends a Bundle that was read. Only a document keeps its members. */
export function completeBundle(bundle: ReadBundle, node: JsonNode | undefined): void {
  bundle.isComplete = true;
  if (node?.kind !== 'object' || stringMember(node, 'type') !== 'document') return;
  bundle.head = node.members
    .filter(({ key }) => isHeadMember(key))
    .map(({ key, value }: JsonMember) => `${JSON.stringify(key)}:${serializeNode(value)}`)
    .join(',');
}

/** Returns the object of these members, of which some may be empty. */
export function objectOf(members: readonly string[]): JsonObject | undefined {
  return objectIn(`{${members.filter((text) => text !== '').join(',')}}`);
}

/** False for the members of a Bundle that is no document. Its type can follow. */
export function isDocument(members: readonly string[]): boolean {
  return (stringMember(objectOf(members), 'type') ?? 'document') === 'document';
}

/** Returns the member of an entry that names its place in its Bundle. */
export function inBundle({ bundlePlace }: { readonly bundlePlace?: BundlePlace | undefined }) {
  return bundlePlace ? { bundlePlace } : {};
}
