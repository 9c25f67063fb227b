import { useEffect, useReducer, useRef, useState, type ReactNode } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useConsumed } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { FindingList } from './finding-list.tsx';
import { ValidationStatus } from './validation-progress.tsx';
import { NoIssue } from './no-issue.tsx';
import { initialQuality, openQuality, initialQualityFilter, qualityReducer } from './quality-state.ts';
import styles from './quality.module.css';
import { QualitySkeleton } from './quality-skeleton.tsx';
import { RemoteQuality } from './remote-quality.tsx';
import { RuleList } from './rule-list.tsx';
import { sumCounts } from './percentages.ts';
import { useQualityOverview } from './use-quality.ts';
import { Button, VisuallyHidden, NativeSelect, TextInput } from '@mantine/core';
import { IconChartLine, IconSearch } from '@tabler/icons-react';
import { wholeChecks, type Measures } from '../../../core/app/measures.ts';
import { lineOf, visibleDays, useMeasures } from '../../platform/measures.ts';
import { lazyDialog } from '../../ui/lazy-component.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { useDebouncedCallback } from '@mantine/hooks';
import { findingStates } from '../../../core/app/findings.ts';
import { groupings, readFilter, type Grouping, type QualityFilter } from '../../../core/app/quality.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';

interface QualityViewProps {
  readonly isActive: boolean;
  /** Saved bulk runs below the rules. */
  readonly runs: ReactNode;
}

/** Quality view: the worklist of the own server, or of a validation of another server. */
export function QualityView(props: QualityViewProps) {
  const { remote } = useConnection();
  const list = <Worklist {...props} />;
  return remote ? <RemoteQuality>{list}</RemoteQuality> : list;
}

/** Violated rules with counts, and the findings of the selected rule. */
function Worklist({ isActive, runs }: QualityViewProps) {
  const { remote } = useConnection();
  const [state, dispatch] = useReducer(qualityReducer, remote ? initialQuality : openQuality);
  const overview = useQualityOverview(state.filter);
  const view = useRef<HTMLDivElement>(null);
  const { isSuccess } = overview;

  useConsumed(initialQualityFilter, (selection) => {
    const states = remote ? {} : ({ state: 'open' } as const);
    if ('batch' in selection) {
      const { batch, batchName } = selection;
      dispatch({ type: 'asked', filter: { batch, ...states }, batchName });
    } else dispatch({ type: 'asked', filter: { type: selection.type, ...states }, rule: selection.rule });
  });
  useEffect(() => {
    if (!isActive || !isSuccess || !isFocusLost()) return;
    const focusTargets = ['[role=row][tabindex="0"]', '[role=option][tabindex="0"]'];
    focusTargets
      .map((selector) => view.current?.querySelector<HTMLElement>(selector))
      .find(Boolean)
      ?.focus();
  }, [isActive, isSuccess]);

  if (overview.isPending) return <QualitySkeleton />;
  if (overview.isError) return <RequestFailure hasPadding title={text.quality.failed} query={overview} />;
  const { data } = overview;
  if (sumCounts(data.flagged) === 0) {
    return (
      <div className={styles.page}>
        <TrendHead />
        <NoIssue overview={data}>
          <ValidationStatus />
          {runs}
        </NoIssue>
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <TrendHead />
      <div ref={view} className={styles.view}>
        <aside className={styles.left} aria-label={text.quality.rules}>
          <RuleFilter
            filter={state.filter}
            groupBy={state.groupBy}
            onChange={(filter) => dispatch({ type: 'filtered', filter })}
            onGroup={(groupBy) => dispatch({ type: 'grouped', groupBy })}
          />
          <RuleList
            overview={data}
            filter={state.filter}
            rule={state.rule}
            onSelect={(group) => dispatch({ type: 'chosen', group })}
          />
          <ValidationStatus />
          {runs}
        </aside>
        <FindingList state={state} dispatch={dispatch} overview={data} />
      </div>
    </div>
  );
}

const messages = text.quality.trend;

const MeasuresSheet = lazyDialog(async () => (await import('./measures-sheet.tsx')).MeasuresSheet);

/**
 * Share of records without a finding, overall and by category, with its trend. Includes a table for screen readers.
 */
function TrendHead() {
  const { data } = useMeasures(visibleDays);
  const [isOpen, setOpen] = useState(false);
  if (!data || data.days.length === 0) return null;
  const lines = linesOf(data);
  return (
    <section className={styles.trend} aria-label={messages.name}>
      {lines.map(({ check, line }) => (
        <div key={check}>
          <span>{messages.checks[check]}</span>
          <b>{messages.percent(line.at(-1)?.share ?? 100)}</b>
          {line.length > 1 && (
            <Sparkline
              width={64}
              label={messages.days(line.length)}
              days={line.map(({ day, share: value }) => ({ day, value }))}
            />
          )}
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        className={styles.measures ?? ''}
        leftSection={<IconChartLine size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {text.quality.measures.open}
      </Button>
      {isOpen && <MeasuresSheet onClose={() => setOpen(false)} />}
      <TrendTable days={data.days} lines={lines} />
    </section>
  );
}

function linesOf(measures: Measures) {
  return wholeChecks.map((check) => ({ check, line: lineOf(measures, check) }));
}

interface TrendTableProps extends Pick<Measures, 'days'> {
  readonly lines: ReturnType<typeof linesOf>;
}

function TrendTable({ days, lines }: TrendTableProps) {
  return (
    <VisuallyHidden>
      <table aria-label={messages.table}>
        <TableHead columns={[messages.day, ...lines.map(({ check }) => messages.checks[check])]} />
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {lines.map(({ check, line }) => (
                <td key={check}>{messages.percent(line[index]?.share ?? 100)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  );
}

interface RuleFilterProps {
  readonly filter: Omit<QualityFilter, 'rule'>;
  readonly groupBy: Grouping | undefined;
  readonly onChange: (filter: Omit<QualityFilter, 'rule'>) => void;
  readonly onGroup: (groupBy: Grouping | undefined) => void;
}

/** Findings are always listed by rule on the left. */
const visibleGroupings = groupings.filter((grouping) => grouping !== 'rule');

interface Choice {
  readonly part: 'severity' | 'type' | 'state';
  readonly label: string;
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
}

const choices: readonly Choice[] = [
  {
    part: 'severity',
    label: text.quality.severity,
    data: [
      { value: '', label: text.quality.anySeverity },
      { value: 'error', label: text.quality.errors },
      { value: 'warning', label: text.quality.warnings },
    ],
  },
  {
    part: 'type',
    label: text.quality.type,
    data: [{ value: '', label: text.quality.anyType }, ...resourceTypes],
  },
  {
    part: 'state',
    label: text.quality.states.filter,
    data: [
      { value: '', label: text.quality.states.any },
      ...findingStates.map((value) => ({ value, label: text.quality.states.names[value] })),
    ],
  },
];

/** Pause in typing before a request is sent, in milliseconds. */
const searchDelayMs = 250;

/** Filters rules and findings by severity, type and text. */
function RuleFilter({ filter, groupBy, onChange, onGroup }: RuleFilterProps) {
  const { remote } = useConnection();
  const [searchText, setSearchText] = useState(filter.text ?? '');
  /** An empty part removes the filter. */
  const change = (part: Partial<Record<'text' | Choice['part'], string>>) =>
    onChange(
      readFilter(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')) ?? filter,
    );
  const search = useDebouncedCallback((value: string) => {
    change({ text: value.trim() });
  }, searchDelayMs);
  // Findings of other servers have no state.
  const visibleChoices = choices.filter(({ part }) => !remote || part !== 'state');
  return (
    <div className={styles.filter} role="search" aria-label={text.quality.filter}>
      {visibleChoices.map(({ part, label, data }) => (
        <NativeSelect
          key={part}
          aria-label={label}
          value={filter[part] ?? ''}
          data={[...data]}
          onChange={({ currentTarget: { value } }) => change({ [part]: value })}
        />
      ))}
      {!remote && (
        <NativeSelect
          aria-label={text.quality.groups.name}
          value={groupBy ?? ''}
          data={[
            { value: '', label: text.quality.groups.no },
            ...visibleGroupings.map((value) => ({ value, label: text.quality.groups.named(value) })),
          ]}
          onChange={({ currentTarget }) =>
            onGroup(groupings.find((grouping) => grouping === currentTarget.value))
          }
        />
      )}
      <TextInput
        className={styles.filterText ?? ''}
        aria-label={text.quality.text}
        placeholder={text.quality.text}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={searchText}
        onChange={({ currentTarget }) => {
          setSearchText(currentTarget.value);
          search(currentTarget.value);
        }}
      />
    </div>
  );
}
