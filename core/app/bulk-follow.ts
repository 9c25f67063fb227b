import { recordChanges } from '../fhir/record-changes.ts';
import { alignElements } from '../json/align.ts';
import { equal } from '../json/equal.ts';
import { expandPath } from '../json/path-pattern.ts';
import { formatPointer, isArrayIndex, locate, parsePointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import type { BulkOperation } from './bulk.ts';

/** Operations for another version of a record, or the path of the element that this version no longer has. */
export type FollowedOperations =
  | { readonly operations: readonly BulkOperation[] }
  | { readonly gone: string };

/** Returns true if operations name items by their index: the same path can name another item in another version. */
export function nameItems(operations: readonly BulkOperation[]): boolean {
  return operations.some((operation) => operation.kind !== 'fix' && hasIndex(operation.path));
}

/**
 * Returns the operations with the paths that the same elements have in another version of the record. `seen` is the text
 * that the paths were looked up in. A path that names all items by `*` stays.
 */
export function followOperations(
  operations: readonly BulkOperation[],
  seen: string,
  present: string,
): FollowedOperations {
  const [before, after] = [scan(seen).root, scan(present).root];
  const { toAfter } = alignElements(before, after);
  const followed: BulkOperation[] = [];
  for (const operation of operations) {
    if (operation.kind === 'fix' || !hasIndex(operation.path)) {
      followed.push(operation);
      continue;
    }
    for (const pointer of expandPath(before, operation.path)) {
      const tokens = toAfter(parsePointer(pointer) ?? []);
      if (!tokens) return { gone: pointer };
      followed.push({ ...operation, path: formatPointer(tokens) });
    }
  }
  return { operations: followed };
}

function hasIndex(path: string): boolean {
  return (parsePointer(path) ?? []).some(isArrayIndex);
}

/**
 * Returns the pointers at which `present` still has what a run wrote: `seen` is the text before the run, `written` the
 * text that it wrote.
 */
export function standingChanges(seen: string, written: string, present: string): readonly string[] {
  const after = scan(written).root;
  const now = scan(present).root;
  const { toAfter } = alignElements(after, now);
  return recordChanges(scan(seen).root, after).flatMap(({ pointer, after: value }) => {
    if (value === undefined) return [];
    const tokens = toAfter(parsePointer(pointer) ?? []);
    const node = tokens && locate(now, tokens);
    return node && equal(node, scan(value).root) ? [formatPointer(tokens)] : [];
  });
}
