import { ActionIcon, Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { isMendable } from '../../../core/fhir/fixes/offers.ts';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { expressionAt } from '../../../core/fhir/expression.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { shownReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

type Column = GridColumn<QualityFinding>;

const { columns: labels } = text.quality;

/** FHIRPath of the element below the record: `activity[0].detail.status`; empty for the record itself. */
export function elementOf({ pointer }: QualityFinding): string {
  return expressionAt('', parsePointer(pointer) ?? []).replace(/^\./, '');
}

function stateWords({ state }: QualityFinding): string {
  if (!state) return '';
  return state.state === 'assigned' ? (state.assignee ?? '') : text.quality.states.names[state.state];
}

const title: Column = {
  id: 'title',
  label: labels.title,
  width: 100,
  share: 1.4,
  cell: (row) => row.title || row.id,
  hint: (row) => [row.title, `${row.type}/${row.id}`].filter(Boolean).join(' · '),
};
const issue: Column = {
  id: 'issue',
  label: labels.issue,
  width: 200,
  share: 3.2,
  cell: (row) => row.message,
  hint: (row) => `${row.message} ${row.rule}`,
};
const element: Column = {
  id: 'element',
  label: labels.element,
  width: 110,
  share: 1.4,
  mono: true,
  cell: (row) => elementOf(row) || row.type,
  hint: (row) => row.pointer,
};
const excerpt: Column = {
  id: 'excerpt',
  label: labels.excerpt,
  width: 92,
  share: 1.2,
  mono: true,
  cell: (row) => row.excerpt || <span className={styles.whole}>{text.quality.whole}</span>,
  hint: (row) => row.excerpt || row.message,
};
const missing: Column = {
  ...excerpt,
  label: labels.issue,
  cell: (row) => <span className={styles.missing}>{row.message}</span>,
};
const state: Column = {
  id: 'state',
  label: text.quality.states.column,
  width: 84,
  from: 700,
  cell: (row) => stateWords(row),
  hint: (row) => [row.state?.assignee, row.state?.reason, row.state?.note].filter(Boolean).join(' · '),
};
const subject: Column = {
  id: 'subject',
  label: labels.subject,
  width: 72,
  share: 0.9,
  from: 760,
  mono: true,
  cell: (row) => shownReference(row.subject, 'Patient'),
  hint: (row) => row.subject,
};
const status: Column = {
  id: 'status',
  label: labels.status,
  // The longest words of both types, `entered-in-error`, are read in full.
  width: 136,
  from: 1000,
  cell: (row) => <StatusDot status={row.status} />,
  hint: (row) => row.status,
};
const updated: Column = {
  id: 'updated',
  label: labels.updated,
  width: 86,
  from: 1000,
  cell: (row) => <RelativeTime instant={row.lastUpdated} />,
};
/** The columns of the findings of a rule, or of all rules where `rule` is undefined. */
export function findingColumns(
  rule: string | undefined,
  onFix: (row: QualityFinding, quick?: boolean) => void,
): Column[] {
  const fix: Column = {
    id: 'fix',
    label: labels.fix,
    width: 88,
    cell: (row) => (
      <span className={styles.ways}>
        <Button
          variant="subtle"
          className={styles.fix ?? ''}
          tabIndex={-1}
          aria-label={text.quality.fixOf(row.title || row.id)}
          onClick={() => onFix(row)}
        >
          {text.quality.fix}
        </Button>
        {isMendable(row.rule) && (
          <ActionIcon
            size={24}
            tabIndex={-1}
            aria-label={text.fixes.quick(row.title || row.id)}
            title={text.fixes.quickHint}
            onClick={() => onFix(row, true)}
          >
            <IconWand size={14} aria-hidden />
          </ActionIcon>
        )}
      </span>
    ),
  };
  if (rule === undefined) return [title, issue, element, excerpt, state, status, updated, fix];
  return [
    title,
    element,
    rule === 'schema-required' ? missing : excerpt,
    state,
    subject,
    status,
    updated,
    fix,
  ];
}
