import { useCallback, useMemo, useState, type Dispatch, type ReactNode } from 'react';
import {
  groupText,
  groupOf,
  type QualityFinding,
  type QualityOverview,
  type Grouping,
  type QualityFilter,
  type QualityGroup,
} from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { OtherRecordLinks } from '../../platform/other-record-links.tsx';
import { useRowHeight } from '../../platform/preferences.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { elementOf, findingColumns } from './finding-columns.tsx';
import { GroupList, GroupKey } from './group-list.tsx';
import { NoFit } from './no-issue.tsx';
import {
  filterOf,
  withoutBatch,
  keyOf,
  indexOf,
  neighbour,
  type QualityAction,
  type QualityState,
} from './quality-state.ts';
import styles from './quality.module.css';
import { RowsSkeleton } from './quality-skeleton.tsx';
import { StateMenu } from './state-menu.tsx';
import { useExport, useFindings, type Findings } from './use-quality.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useSelection } from '../../ui/grid/use-selection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { Button } from '@mantine/core';
import { IconDownload, IconReplace } from '@tabler/icons-react';
import { pathPatterns } from '../../../core/json/path-pattern.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { sumFindings, formatShare, sumCounts, countRecords } from './percentages.ts';

interface FindingListProps {
  readonly state: QualityState;
  readonly dispatch: Dispatch<QualityAction>;
  readonly overview: QualityOverview;
}

/** Findings of the selected rule, with actions for all of them and commands to step through them. */
export function FindingList({ state, dispatch, overview }: FindingListProps) {
  const { remote } = useConnection();
  const rowHeight = useRowHeight();
  const findingSelection = selectFindings(state, overview);
  const loadedFindings = useFindings(findingSelection.filter);
  const { query, findings } = loadedFindings;
  const { fetchNextPage } = query;
  const exporting = useExport(findingSelection.filter);
  const openFix = useWalk({ state, dispatch, loadedFindings, total: findingSelection.total });
  const { current, selectedFindings, selection } = useHand({ state, dispatch, loadedFindings });
  const [isMenuOpen, setMenuOpen] = useState(false);
  const hasStates = findings.some((finding) => finding.state !== undefined);
  const hasOtherRecords = findings.some((finding) => finding.others !== undefined);
  const columns = useMemo(
    () => findingColumns({ rule: state.rule, states: hasStates, hasOtherRecords }, openFix),
    [state.rule, hasStates, hasOtherRecords, openFix],
  );
  const onEnd = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <section className={styles.right} aria-label={text.quality.findingsOf(findingSelection.label)}>
      <header className={styles.head}>
        <ListedRule
          selection={findingSelection}
          overview={overview}
          batchName={state.batchName}
          onUngroup={(groupBy) => dispatch({ type: 'grouped', groupBy })}
          onAllBatches={() => dispatch({ type: 'filtered', filter: withoutBatch(state.filter) })}
        />
        {!remote && (
          <StateMenu
            findings={selectedFindings}
            isOpen={isMenuOpen}
            onOpened={setMenuOpen}
            onDone={selection.clear}
          />
        )}
        <ListActions selection={findingSelection} findings={findings} exporting={exporting} />
      </header>
      <RequestFailure hasPadding title={text.quality.exportFailed} query={exporting} />
      <FindingPanel state={state} dispatch={dispatch} loadedFindings={loadedFindings}>
        <Grid
          key={state.rule ?? ''}
          label={text.quality.findings}
          columns={columns}
          rows={findings}
          total={Math.max(findingSelection.total, findings.length)}
          rowHeight={rowHeight}
          current={current}
          keyOf={keyOf}
          onCurrent={(index) => selection.move(index)}
          {...(!remote && { selection, onMenu: () => setMenuOpen(true) })}
          onOpen={(finding) => openFix(finding)}
          onEnd={onEnd}
        />
        <FindingDetail finding={findings[current]} />
        <footer className={`${frame.foot} ${styles.foot}`}>
          <span>
            {text.quality.loaded(formatCount(findings.length), formatCount(findingSelection.total))}
          </span>
          <span className={frame.keys}>{text.quality.keys}</span>
        </footer>
      </FindingPanel>
    </section>
  );
}

interface FaceProps extends Pick<FindingListProps, 'state' | 'dispatch'> {
  readonly loadedFindings: Findings;
  /** List of the findings, shown if there are any and they are not grouped. */
  readonly children: ReactNode;
}

function FindingPanel({ state, dispatch, loadedFindings: { query, findings }, children }: FaceProps) {
  const filter = filterOf(state);
  if (query.isError) return <RequestFailure hasPadding title={text.quality.failed} query={query} />;
  if (query.isPending) return <RowsSkeleton />;
  if (state.groupBy && filter.group === undefined) {
    return (
      <GroupList
        filter={filter}
        groupBy={state.groupBy}
        onSelect={(group) =>
          dispatch({ type: 'filtered', filter: { ...state.filter, group: groupText(group) } })
        }
      />
    );
  }
  if (findings.length === 0) return <NoFit onClear={() => dispatch({ type: 'filtered', filter: {} })} />;
  return children;
}

/** Full text of the current finding, because it rarely fits in its row. */
function FindingDetail({ finding }: { readonly finding: QualityFinding | undefined }) {
  if (!finding) return null;
  return (
    <p className={styles.detail}>
      {finding.message} <code>{elementOf(finding) || finding.type}</code>
      {finding.state &&
        ` ${[finding.state.assignee, finding.state.reason, finding.state.until, finding.state.note].filter(Boolean).join(' · ')}`}{' '}
      <OtherRecordLinks records={finding.others} hasMore={finding.moreOthers} />
    </p>
  );
}

interface WalkOptions {
  readonly state: QualityState;
  readonly dispatch: Dispatch<QualityAction>;
  readonly loadedFindings: Findings;
  /** Number of findings, including findings that are not loaded. */
  readonly total: number;
}

/** Returns a function that opens a finding at its element. Commands step through the findings. */
function useWalk({ state, dispatch, loadedFindings: { query, findings }, total }: WalkOptions) {
  const { openRecord } = useWorkbenchActions();
  const announce = useAnnounce();
  const fix = useCallback(
    (finding: QualityFinding, quick = false) => {
      const { type, id, title, pointer, rule } = finding;
      dispatch({ type: 'moved', index: Math.max(0, findings.indexOf(finding)), key: keyOf(finding) });
      openRecord({ type, id, title, pointer, ...(quick && { fix: rule }) });
    },
    [openRecord, dispatch, findings],
  );
  function walk(step: 1 | -1) {
    const index = neighbour(state, findings, step);
    const finding = index === undefined ? undefined : findings[index];
    if (!finding || index === undefined) {
      announce(step === 1 ? text.quality.noNext : text.quality.noPrevious);
      return;
    }
    fix(finding);
    announce(text.quality.at(formatCount(index + 1), formatCount(total)));
    if (index > findings.length - 20 && query.hasNextPage) void query.fetchNextPage();
  }
  useCommandHandlers({ 'quality.next': () => walk(1), 'quality.previous': () => walk(-1) });
  return fix;
}

/** Returns the current finding with the selection, which state changes apply to. */
function useHand({ state, dispatch, loadedFindings: { findings } }: Omit<WalkOptions, 'total'>) {
  const selection = useSelection(findings, keyOf);
  const current = indexOf(state, findings);
  const makeCurrent = (index: number) => {
    const finding = findings[index];
    if (finding) dispatch({ type: 'moved', index, key: keyOf(finding) });
  };
  return {
    current,
    selectedFindings:
      selection.chosen.size > 0
        ? findings.filter((row) => selection.chosen.has(keyOf(row)))
        : findings.slice(current, current + 1),
    selection: {
      ...selection,
      move(index: number) {
        selection.move(index);
        makeCurrent(index);
      },
      extend(index: number) {
        selection.extend(index);
        makeCurrent(index);
      },
    },
  };
}

/** Findings of a filter, of one rule or of all rules. */
interface FindingSelection {
  readonly filter: QualityFilter;
  /** Rule of the filter, if it has findings. */
  readonly group: QualityGroup | undefined;
  readonly label: string;
  readonly total: number;
}

/** Returns the findings that a state of the worklist selects. */
function selectFindings(state: QualityState, { groups }: QualityOverview): FindingSelection {
  const filter = filterOf(state);
  const group = groups.find(({ rule }) => rule === filter.rule);
  return {
    filter,
    group,
    label: group?.text ?? state.ruleText ?? text.quality.all,
    total: sumFindings(filter.rule === undefined ? groups : group ? [group] : []),
  };
}

interface ListedRuleProps {
  readonly selection: FindingSelection;
  readonly overview: QualityOverview;
  readonly batchName: string | undefined;
  readonly onUngroup: (groupBy: Grouping) => void;
  readonly onAllBatches: () => void;
}

/** Header of the list: the rule with its counts, the selected group and the time of the count. */
function ListedRule({ selection, overview, batchName, onUngroup, onAllBatches }: ListedRuleProps) {
  const { filter, group, label, total } = selection;
  const undecidedCount = sumCounts(overview.undecided ?? {});
  const groupName = filter.group === undefined ? undefined : groupOf(filter.group);
  return (
    <div>
      <h2 title={label}>{label}</h2>
      <p>
        {group && (
          <>
            <span className={styles.severity} data-severity={group.severity}>
              {text.quality.severities[group.severity]}
            </span>
            <code>{group.rule}</code>
            <span>{text.quality.records(group.records)}</span>
            <span>{text.quality.share(formatShare(group.records, countRecords(overview, filter)))}</span>
          </>
        )}
        <span>{text.quality.issues(total)}</span>
        {groupName && (
          <LinkButton title={text.quality.groups.all} onClick={() => onUngroup(groupName.grouping)}>
            {text.quality.groups.by[groupName.grouping]}:{' '}
            <GroupKey groupBy={groupName.grouping} value={groupName.key} /> ×
          </LinkButton>
        )}
        {filter.batch !== undefined && (
          <LinkButton title={text.quality.allBatches} onClick={onAllBatches}>
            {text.quality.batch(batchName ?? filter.batch)} ×
          </LinkButton>
        )}
        {undecidedCount > 0 && <span>{text.quality.undecided(undecidedCount)}</span>}
        <span>
          <MessageNodes
            message={text.quality.counted}
            nodes={{ time: <RelativeTime instant={overview.computed} /> }}
          />
        </span>
      </p>
    </div>
  );
}

interface ListActionsProps {
  readonly selection: FindingSelection;
  readonly findings: readonly QualityFinding[];
  readonly exporting: ReturnType<typeof useExport>;
}

/** Actions for all selected findings, loaded or not. */
function ListActions({ selection, findings, exporting }: ListActionsProps) {
  const { replaceInAll } = useWorkbenchActions();
  const { filter, label, total } = selection;
  const [path] = pathPatterns(findings.map(({ pointer }) => pointer).filter((pointer) => pointer !== ''));
  return (
    <>
      <Button
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={exporting.isPending}
        disabled={total === 0}
        onClick={() => exporting.mutate()}
      >
        {text.quality.exportCsv}
      </Button>
      <Button
        leftSection={<IconReplace size={16} aria-hidden />}
        disabled={total === 0}
        onClick={() => replaceInAll({ kind: 'quality', filter, label, ...(path !== undefined && { path }) })}
      >
        {text.quality.replaceAll}
      </Button>
    </>
  );
}
