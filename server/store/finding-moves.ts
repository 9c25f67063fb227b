import type { FindingMove, IssueRow } from '../../core/fhir/issue-row.ts';

/**
 * Returns a function from a finding's pointer to its pointer in the next version; undefined if the finding
 * ends.
 */
export function createPointerMapper(
  moves: readonly FindingMove[],
): (rule: string, pointer: string) => string | undefined {
  const nextPointers = new Map(
    moves.map(({ rule, previousPointer, nextPointer }) => [`${rule} ${previousPointer}`, nextPointer]),
  );
  return (rule, pointer) => {
    const key = `${rule} ${pointer}`;
    return nextPointers.has(key) ? nextPointers.get(key) : pointer;
  };
}

/** Returns the issues with their pointers in the next version. Issues that end are left out. */
export function moveIssues(issues: readonly IssueRow[], moves: readonly FindingMove[]): IssueRow[] {
  const getNextPointer = createPointerMapper(moves);
  return issues.flatMap((issue) => {
    const pointer = getNextPointer(issue.rule, issue.pointer);
    return pointer === undefined ? [] : [{ ...issue, pointer }];
  });
}
