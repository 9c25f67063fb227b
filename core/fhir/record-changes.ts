/**
 * core/fhir/record-changes.ts compares two versions of a record. Review, history, bulk runs and exercises use it, so
 * that all of them count and name the same changes.
 */
import { listChanges, type ElementChange } from '../json/diff.ts';
import type { JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { modifiedName, negationsOf, ownModifiers } from './modifiers/modifiers.ts';
import { elementTitle } from './outline.ts';
import { serverAssignedPaths } from './record.ts';
import { resourceTypes } from './resource.ts';

export const changeKinds = ['added', 'removed', 'moved', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One change without its values, short enough for a list of versions. */
export interface ChangeName {
  readonly kind: ChangeKind;
  /** JSON Pointer in the new version; for a removed element in the old version. */
  readonly pointer: string;
  /** JSON Pointer in the old version, if it differs. */
  readonly from?: string;
  /** Title of an element that was added, removed or moved; absent if it has none. */
  readonly title?: string;
}

/** Returns the changes between two versions of a record, except server metadata. */
export function recordChanges(before: JsonNode, after: JsonNode): ElementChange[] {
  return listChanges(before, after).filter(({ pointer }) => !serverAssignedPaths.has(pointer));
}

/** Returns the kind, the pointers and the title of a change. */
export function nameChange(change: ElementChange): ChangeName {
  const { pointer, from } = change;
  const kind = kindOf(change);
  const title = kind === 'changed' ? '' : titleOf(pointer, change.after ?? change.before);
  return { kind, pointer, ...(from !== undefined && { from }), ...(title !== '' && { title }) };
}

function kindOf({ before, after, isMoved }: ElementChange): ChangeKind {
  if (isMoved) return 'moved';
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** Returns the title of an object with its negations. A primitive has no title: its value is its name. */
function titleOf(pointer: string, json = ''): string {
  if (!json.startsWith('{')) return '';
  const { root } = scan(json);
  const [, element = ''] = listItem.exec(pointer) ?? [];
  const negations = resourceTypes
    .map((type) => negationsOf(type, element, root))
    .find(({ length }) => length > 0);
  return modifiedName(elementTitle(root), negations ?? ownModifiers(root), '').name;
}

/** An item of a list of the record that is not a contained resource. */
const listItem = /^\/(?!contained\/)(\w+)\/[0-9]+$/;
