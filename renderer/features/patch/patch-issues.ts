import { expressionAt } from '../../../core/fhir/expression.ts';
import type { OutcomeIssue } from '../../../core/fhir/outcome.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import type { PatchRow } from './patch-rows.ts';

export interface PlacedIssues {
  /** Sentences by the key of the row that they speak of. */
  readonly byRow: ReadonlyMap<number, readonly string[]>;
  /** Those that speak of no row. */
  readonly rest: readonly OutcomeIssue[];
}

/** Puts each issue of an answer to the row that it speaks of, by the operation's index or by the element. */
export function placeIssues(
  issues: readonly OutcomeIssue[],
  rows: readonly PatchRow[],
  type: string,
): PlacedIssues {
  const byRow = new Map<number, string[]>();
  const rest: OutcomeIssue[] = [];
  for (const issue of issues) {
    const row = rowOf(issue, rows, type);
    if (row) byRow.set(row.key, [...(byRow.get(row.key) ?? []), sentenceOf(issue)]);
    else rest.push(issue);
  }
  return { byRow, rest };
}

export function sentenceOf({ details, diagnostics, code }: OutcomeIssue): string {
  return details?.text ?? diagnostics ?? code;
}

function rowOf(issue: OutcomeIssue, rows: readonly PatchRow[], type: string): PatchRow | undefined {
  const index = /^op\[(\d+)\]/.exec(issue.diagnostics ?? '')?.[1];
  if (index !== undefined) return rows[Number(index)];
  const [place] = issue.expression ?? [];
  if (place === undefined) return undefined;
  // The element itself, or a part of what was put there; the longest path is the nearest.
  return rows
    .map((row) => ({ row, own: expressionAt(type, parsePointer(row.path.trim()) ?? []) }))
    .filter(({ row, own }) => row.path.trim() !== '' && isWithin(place, own))
    .sort((one, other) => other.own.length - one.own.length)[0]?.row;
}

function isWithin(place: string, own: string): boolean {
  return place === own || place.startsWith(`${own}.`) || place.startsWith(`${own}[`);
}
