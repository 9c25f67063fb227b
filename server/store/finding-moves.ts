import type { FindingMove, IssueRow } from '../../core/fhir/issue-row.ts';

/** Returns the function that answers a finding's pointer in the next version: undefined if the finding ends. */
export function placesAfter(
  moves: readonly FindingMove[],
): (rule: string, pointer: string) => string | undefined {
  const places = new Map(moves.map(({ rule, from, to }) => [`${rule} ${from}`, to]));
  return (rule, pointer) => {
    const key = `${rule} ${pointer}`;
    return places.has(key) ? places.get(key) : pointer;
  };
}

/** Returns the issues at their places in the next version; those that end are left out. */
export function movedRows(issues: readonly IssueRow[], moves: readonly FindingMove[]): IssueRow[] {
  const placeAfter = placesAfter(moves);
  return issues.flatMap((issue) => {
    const pointer = placeAfter(issue.rule, issue.pointer);
    return pointer === undefined ? [] : [{ ...issue, pointer }];
  });
}
