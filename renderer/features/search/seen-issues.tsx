import type { ReactNode } from 'react';
import { useSightIssues } from '../../platform/sight.ts';
import { IssueBar } from './issue-bar.tsx';
import type { ResultColumn } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';

/** The columns for another server, which counts no issues: its records are judged here, once their rows are in sight. */
export function withSeenIssues(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  return columns.map((column) =>
    column.id === 'quality' ? { ...column, cell: (row: ResultRow) => <SeenIssues row={row} /> } : column,
  );
}

function SeenIssues({ row }: { readonly row: ResultRow }): ReactNode {
  const issues = useSightIssues(row);
  return issues && <IssueBar issues={issues} />;
}
