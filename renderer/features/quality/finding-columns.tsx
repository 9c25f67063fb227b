import { ActionIcon, Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { isFixable } from '../../../core/fhir/fixes/offers.ts';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { brokenInWays, expressionAt } from '../../../core/fhir/validation/finding.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { nameOfOther } from '../../platform/other-record-links.tsx';
import { formatReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

type Column = GridColumn<QualityFinding>;

const { columns: labels } = text.quality;

/** Final letters of an ID or path that are always visible. */
const idEnd = 6;
const elementEnd = 8;

/** Returns the FHIRPath of the element below the record: `activity[0].detail.status`; empty for the record itself. */
export function elementOf({ pointer }: QualityFinding): string {
  return expressionAt('', parsePointer(pointer) ?? []).replace(/^\./, '');
}

/** Returns the names of the other records of a finding; empty if there are none. */
function listOtherNames({ others: otherRecords = [], moreOthers: hasMoreRecords }: QualityFinding): string[] {
  const names = otherRecords.map(nameOfOther).join(', ');
  if (names === '') return [];
  return hasMoreRecords ? [names, text.issues.moreOthers] : [names];
}

function formatState({ state }: QualityFinding): string {
  if (!state) return '';
  return state.state === 'assigned' ? (state.assignee ?? '') : text.quality.states.names[state.state];
}

const title: Column = {
  id: 'title',
  label: labels.title,
  width: 92,
  flexShare: 1.2,
  cell: (row) => row.title || <TruncatedText name={row.id} end={idEnd} />,
  hint: (row) => [row.title, `${row.type}/${row.id}`].filter(Boolean).join(' · '),
};
const issue: Column = {
  id: 'issue',
  label: labels.issue,
  width: 160,
  flexShare: 3.6,
  cell: (row) => [row.message, ...listOtherNames(row)].join(' '),
  hint: (row) => [row.message, ...listOtherNames(row), row.rule].join(' '),
};
const element: Column = {
  id: 'element',
  label: labels.element,
  width: 116,
  flexShare: 1.8,
  isMonospaced: true,
  // The end of a path is more specific than its start.
  cell: (row) => <TruncatedText name={elementOf(row) || row.type} end={elementEnd} />,
  hint: (row) => row.pointer,
};
const excerpt: Column = {
  id: 'excerpt',
  label: labels.excerpt,
  width: 84,
  flexShare: 1.2,
  isMonospaced: true,
  cell: (row) => row.excerpt || <span className={styles.whole}>{text.quality.whole}</span>,
  hint: (row) => row.excerpt || row.message,
};
const otherRecord: Column = {
  id: 'others',
  label: labels.others,
  width: 116,
  flexShare: 1.6,
  cell: (row) => listOtherNames(row).join(' '),
  hint: (row) => listOtherNames(row).join(' '),
};
/** Shows the message if it distinguishes the findings of a rule. */
const message: Column = {
  ...excerpt,
  label: labels.issue,
  flexShare: 3,
  cell: (row) => <span className={styles.missing}>{row.message}</span>,
  hint: (row) => row.message,
};
const state: Column = {
  id: 'state',
  label: text.quality.states.column,
  width: 92,
  minGridWidth: 700,
  cell: (row) => formatState(row),
  hint: (row) => [row.state?.assignee, row.state?.reason, row.state?.note].filter(Boolean).join(' · '),
};
const subject: Column = {
  id: 'subject',
  label: labels.subject,
  width: 92,
  flexShare: 1,
  minGridWidth: 760,
  isMonospaced: true,
  cell: (row) => <TruncatedText name={formatReference(row.subject, 'Patient')} end={idEnd} />,
  hint: (row) => row.subject,
};
const status: Column = {
  id: 'status',
  label: labels.status,
  // Wide enough for the longest word of both types, `entered-in-error`.
  width: 136,
  minGridWidth: 1000,
  cell: (row) => <StatusDot status={row.status} />,
  hint: (row) => row.status,
};
const updated: Column = {
  id: 'updated',
  label: labels.updated,
  width: 86,
  minGridWidth: 1000,
  cell: (row) => <RelativeTime instant={row.lastUpdated} />,
};
/** Decides which columns appear. */
interface FindingListOptions {
  /** Selected rule; undefined lists the findings of all rules. */
  readonly rule: string | undefined;
  /** True if a finding is assigned, waived or has a note. Otherwise the state column would be empty. */
  readonly states: boolean;
  /** True if a finding is about other records. */
  readonly hasOtherRecords: boolean;
}

/** Returns the columns of the findings of a rule, or of all rules. */
export function findingColumns(
  { rule, states, hasOtherRecords }: FindingListOptions,
  onFix: (row: QualityFinding, quick?: boolean) => void,
): Column[] {
  const fix: Column = {
    id: 'fix',
    label: labels.fix,
    width: 80,
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
        {isFixable(row.rule) && (
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
  const stateColumns = states ? [state] : [];
  if (rule === undefined) return [title, issue, element, excerpt, ...stateColumns, status, updated, fix];
  const value = brokenInWays.includes(rule) ? message : excerpt;
  return [
    title,
    element,
    ...(hasOtherRecords ? [otherRecord] : []),
    value,
    ...stateColumns,
    subject,
    status,
    updated,
    fix,
  ];
}
