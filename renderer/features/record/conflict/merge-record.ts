/**
 * features/record/conflict brings a steward's text and a version that another client saved together. The review sheet
 * and the record's requests use it. Invariant: nothing is sent from here, and no change of either side goes unseen.
 */
import { resourceGrain } from '../../../../core/fhir/merge-grain.ts';
import { merge, type Merge, type MergeRow } from '../../../../core/json/merge.ts';
import { copy, member, setMember, type JsonNode } from '../../../../core/json/node.ts';
import type { Version } from '../../../platform/record-version.ts';
import type { Conflict, Rebase } from '../record-state.ts';
import { inspect } from '../../../platform/read-json.ts';

const stamped = ['versionId', 'lastUpdated'];

/** The merge of a text that began with `base` and of their version; undefined where the text is not JSON. */
export function mergeOf(base: Version, text: string, theirs: Version): Merge | undefined {
  const mine = inspect(text);
  if (!mine.valid) return undefined;
  return merge(
    restamped(base.root, theirs.root),
    restamped(mine.root, theirs.root),
    theirs.root,
    resourceGrain,
  );
}

/** The node with the stamp of their version where it has one: what the server writes itself is no change. */
function restamped(root: JsonNode, theirs: JsonNode): JsonNode {
  const next = copy(root);
  const [meta, newer] = [member(next, 'meta'), member(theirs, 'meta')];
  if (meta?.kind !== 'object') return next;
  for (const name of stamped) {
    const value = member(newer, name);
    if (value && member(meta, name)) setMember(meta, name, value);
  }
  return next;
}

/** Whether a choice is wanted here still: both changed it, and none was made. */
export function isOpen({ id, by }: MergeRow, choices: Conflict['choices']): boolean {
  return by === 'overlap' && !choices.has(id);
}

/**
 * Returns the choices for a preview. A row without a choice stands as theirs, so that the difference from their version
 * shows chosen changes only.
 */
export function previewChoices({ rows }: Merge, choices: Conflict['choices']): Conflict['choices'] {
  const open = rows.filter((row) => isOpen(row, choices));
  return new Map([...choices, ...open.map(({ id }) => [id, 'theirs'] as const)]);
}

/** What the review says of a text that was put on their version. */
export function rebaseOf(how: Rebase['how'], merged: Merge, onto: Version): Rebase {
  return {
    how,
    version: onto.version,
    theirs: merged.rows.filter(({ by }) => by === 'theirs' || by === 'overlap').length,
  };
}
