import { recordChanges } from '../fhir/record-changes.ts';
import { alignElements } from '../json/align.ts';
import { equal } from '../json/node.ts';
import { expandPath } from '../json/path-pattern.ts';
import { formatPointer, isArrayIndex, locate, parsePointer } from '../json/pointer.ts';
import { scan } from '../json/scan.ts';
import type { BulkOperation } from './bulk.ts';

/** Operations for another version of a record, or the path of an element that this version lacks. */
export type FollowedOperations =
  | { readonly operations: readonly BulkOperation[] }
  | { readonly missingPath: string };

/** Returns true if operations name items by their index: the same path can name another item in another version. */
export function nameItems(operations: readonly BulkOperation[]): boolean {
  return operations.some((operation) => operation.kind !== 'fix' && hasIndex(operation.path));
}

/**
 * Adapts operations to another version of the record by following their elements. Paths with `*` stay the
 * same.
 *
 * @param seen - Text in which the paths were found.
 */
export function followOperations(
  operations: readonly BulkOperation[],
  originalText: string,
  currentText: string,
): FollowedOperations {
  const [before, after] = [scan(originalText).root, scan(currentText).root];
  const { toAfter } = alignElements(before, after);
  const followedOperations: BulkOperation[] = [];
  for (const operation of operations) {
    if (operation.kind === 'fix' || !hasIndex(operation.path)) {
      followedOperations.push(operation);
      continue;
    }
    for (const pointer of expandPath(before, operation.path)) {
      const tokens = toAfter(parsePointer(pointer) ?? []);
      if (!tokens) return { missingPath: pointer };
      followedOperations.push({ ...operation, path: formatPointer(tokens) });
    }
  }
  return { operations: followedOperations };
}

function hasIndex(path: string): boolean {
  return (parsePointer(path) ?? []).some(isArrayIndex);
}

/**
 * Returns the pointers whose values are the same as a run wrote.
 *
 * @param textBeforeRun - Text before the run.
 * @param textAfterRun - Text that the run wrote.
 */
export function standingChanges(
  textBeforeRun: string,
  textAfterRun: string,
  currentText: string,
): readonly string[] {
  const after = scan(textAfterRun).root;
  const current = scan(currentText).root;
  const { toAfter } = alignElements(after, current);
  return recordChanges(scan(textBeforeRun).root, after).flatMap(({ pointer, after: value }) => {
    if (value === undefined) return [];
    const tokens = toAfter(parsePointer(pointer) ?? []);
    const node = tokens && locate(current, tokens);
    return node && equal(node, scan(value).root) ? [formatPointer(tokens)] : [];
  });
}
