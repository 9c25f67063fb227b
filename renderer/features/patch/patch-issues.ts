import { expressionAt } from '../../../core/fhir/validation/finding.ts';
import type { OutcomeIssue } from '../../../core/fhir/outcome.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import type { PatchRow } from './patch-rows.ts';

export interface PlacedIssues {
  /** Messages by the key of their row. */
  readonly byRow: ReadonlyMap<number, readonly string[]>;
  /** Issues without a row. */
  readonly otherIssues: readonly OutcomeIssue[];
}

/** Assigns each issue of a response to a row, by the index of its operation or by its element. */
export function placeIssues(
  issues: readonly OutcomeIssue[],
  rows: readonly PatchRow[],
  type: string,
): PlacedIssues {
  const byRow = new Map<number, string[]>();
  const otherIssues: OutcomeIssue[] = [];
  for (const issue of issues) {
    const row = findRow(issue, rows, type);
    if (row) byRow.set(row.key, [...(byRow.get(row.key) ?? []), formatMessage(issue)]);
    else otherIssues.push(issue);
  }
  return { byRow, otherIssues };
}

export function formatMessage({ details, diagnostics, code }: OutcomeIssue): string {
  return details?.text ?? diagnostics ?? code;
}

function findRow(issue: OutcomeIssue, rows: readonly PatchRow[], type: string): PatchRow | undefined {
  const index = /^op\[(\d+)\]/.exec(issue.diagnostics ?? '')?.[1];
  if (index !== undefined) return rows[Number(index)];
  const [issueExpression] = issue.expression ?? [];
  if (issueExpression === undefined) return undefined;
  // The element itself, or a part of its new value. The longest path is the nearest.
  return rows
    .map((row) => ({ row, rowExpression: expressionAt(type, parsePointer(row.path.trim()) ?? []) }))
    .filter(({ row, rowExpression }) => row.path.trim() !== '' && isWithin(issueExpression, rowExpression))
    .sort((a, b) => b.rowExpression.length - a.rowExpression.length)[0]?.row;
}

function isWithin(issueExpression: string, rowExpression: string): boolean {
  return (
    issueExpression === rowExpression ||
    issueExpression.startsWith(`${rowExpression}.`) ||
    issueExpression.startsWith(`${rowExpression}[`)
  );
}
