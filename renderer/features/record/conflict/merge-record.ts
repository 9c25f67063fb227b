/**
 * Merges the user's text with a version that another client saved. Used by the review sheet and the record
 * requests.
 * Invariant: nothing is sent from here, and no change of either side is hidden.
 */
import { resourceGrain } from '../../../../core/fhir/merge-grain.ts';
import { merge, type Merge, type MergeRow } from '../../../../core/json/merge.ts';
import { copy, member, setMember, type JsonNode } from '../../../../core/json/node.ts';
import type { Version } from '../../../platform/record-version.ts';
import type { Conflict, Rebase } from '../record-state.ts';
import { inspect } from '../../../platform/read-json.ts';

const serverMetaNames = ['versionId', 'lastUpdated'];

/**
 * Merges our text, which began with `base`, with their version. Returns undefined if the text is not JSON.
 */
export function mergeOf(base: Version, text: string, theirs: Version): Merge | undefined {
  const ours = inspect(text);
  if (!ours.valid) return undefined;
  return merge(
    restamped(base.root, theirs.root),
    restamped(ours.root, theirs.root),
    theirs.root,
    resourceGrain,
  );
}

/**
 * Returns a copy with the server metadata of their version, so that server writes do not count as changes.
 */
function restamped(root: JsonNode, theirs: JsonNode): JsonNode {
  const next = copy(root);
  const [meta, newerMeta] = [member(next, 'meta'), member(theirs, 'meta')];
  if (meta?.kind !== 'object') return next;
  for (const name of serverMetaNames) {
    const value = member(newerMeta, name);
    if (value && member(meta, name)) setMember(meta, name, value);
  }
  return next;
}

/** Returns true if both sides changed the element and no choice is made. */
export function isOpen({ id, side }: MergeRow, choices: Conflict['choices']): boolean {
  return side === 'overlap' && !choices.has(id);
}

/**
 * Returns the choices for a preview. A row without a choice uses their value, so that the diff against their
 * version shows chosen changes only.
 */
export function previewChoices({ rows }: Merge, choices: Conflict['choices']): Conflict['choices'] {
  const open = rows.filter((row) => isOpen(row, choices));
  return new Map([...choices, ...open.map(({ id }) => [id, 'theirs'] as const)]);
}

/** Returns the summary that the review shows for a text that was merged into their version. */
export function rebaseOf(method: Rebase['method'], mergeResult: Merge, target: Version): Rebase {
  return {
    method,
    version: target.version,
    theirs: mergeResult.rows.filter(({ side }) => side === 'theirs' || side === 'overlap').length,
  };
}
