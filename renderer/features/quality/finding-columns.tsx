import { ActionIcon, Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { isMendable } from '../../../core/fhir/fixes/offers.ts';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { expressionAt } from '../../../core/fhir/expression.ts';
import { brokenInWays } from '../../../core/fhir/validation/finding.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { nameOfOther } from '../../platform/other-record-links.tsx';
import { shownReference } from '../../ui/format.ts';
import type { GridColumn } from '../../ui/grid/columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Shortened } from '../../ui/shortened.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

type Column = GridColumn<QualityFinding>;

const { columns: labels } = text.quality;

/** Letters at the end of an id, and of a path, that always stand. */
const idEnd = 6;
const elementEnd = 8;

/** FHIRPath of the element below the record: `activity[0].detail.status`; empty for the record itself. */
export function elementOf({ pointer }: QualityFinding): string {
  return expressionAt('', parsePointer(pointer) ?? []).replace(/^\./, '');
}

/** Returns what the other records of a finding are called; nothing where it has none. */
function othersOf({ others = [], moreOthers }: QualityFinding): string[] {
  const names = others.map(nameOfOther).join(', ');
  if (names === '') return [];
  return moreOthers ? [names, text.issues.moreOthers] : [names];
}

function stateWords({ state }: QualityFinding): string {
  if (!state) return '';
  return state.state === 'assigned' ? (state.assignee ?? '') : text.quality.states.names[state.state];
}

const title: Column = {
  id: 'title',
  label: labels.title,
  width: 92,
  share: 1.2,
  cell: (row) => row.title || <Shortened name={row.id} end={idEnd} />,
  hint: (row) => [row.title, `${row.type}/${row.id}`].filter(Boolean).join(' · '),
};
const issue: Column = {
  id: 'issue',
  label: labels.issue,
  width: 160,
  share: 3.6,
  cell: (row) => [row.message, ...othersOf(row)].join(' '),
  hint: (row) => [row.message, ...othersOf(row), row.rule].join(' '),
};
const element: Column = {
  id: 'element',
  label: labels.element,
  width: 116,
  share: 1.8,
  mono: true,
  // The end of a path tells more than its beginning.
  cell: (row) => <Shortened name={elementOf(row) || row.type} end={elementEnd} />,
  hint: (row) => row.pointer,
};
const excerpt: Column = {
  id: 'excerpt',
  label: labels.excerpt,
  width: 84,
  share: 1.2,
  mono: true,
  cell: (row) => row.excerpt || <span className={styles.whole}>{text.quality.whole}</span>,
  hint: (row) => row.excerpt || row.message,
};
/** Which other records the finding is about. */
const otherRecord: Column = {
  id: 'others',
  label: labels.others,
  width: 116,
  share: 1.6,
  cell: (row) => othersOf(row).join(' '),
  hint: (row) => othersOf(row).join(' '),
};
/** Where the sentence tells the findings of one rule apart. */
const message: Column = {
  ...excerpt,
  label: labels.issue,
  share: 3,
  cell: (row) => <span className={styles.missing}>{row.message}</span>,
  hint: (row) => row.message,
};
const state: Column = {
  id: 'state',
  label: text.quality.states.column,
  width: 92,
  from: 700,
  cell: (row) => stateWords(row),
  hint: (row) => [row.state?.assignee, row.state?.reason, row.state?.note].filter(Boolean).join(' · '),
};
const subject: Column = {
  id: 'subject',
  label: labels.subject,
  width: 92,
  share: 1,
  from: 760,
  mono: true,
  cell: (row) => <Shortened name={shownReference(row.subject, 'Patient')} end={idEnd} />,
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
/** What is shown of the findings. */
interface Shown {
  /** The rule that is chosen; undefined where those of all stand together. */
  readonly rule: string | undefined;
  /** Whether one of them is assigned, waived or noted: else that column is empty. */
  readonly states: boolean;
  /** True if one of them is about other records. */
  readonly others: boolean;
}

/** The columns of the findings of a rule, or of all rules. */
export function findingColumns(
  { rule, states, others }: Shown,
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
  const stated = states ? [state] : [];
  if (rule === undefined) return [title, issue, element, excerpt, ...stated, status, updated, fix];
  const value = brokenInWays.includes(rule) ? message : excerpt;
  return [title, element, ...(others ? [otherRecord] : []), value, ...stated, subject, status, updated, fix];
}
