import { Button } from '@mantine/core';
import { IconDownload, IconReplace } from '@tabler/icons-react';
import { useCallback, useMemo, useState, type Dispatch } from 'react';
import { groupOf, groupText, type QualityFinding, type QualityOverview } from '../../../core/app/quality.ts';
import { pathPatterns } from '../../../core/json/path-pattern.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { useSelection } from '../../ui/grid/use-selection.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { elementOf, findingColumns } from './finding-columns.tsx';
import {
  filterOf,
  indexOf,
  keyOf,
  neighbour,
  type QualityAction,
  type QualityState,
} from './quality-state.ts';
import styles from './quality.module.css';
import { GroupKey, GroupList } from './group-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { NoFit } from './no-issue.tsx';
import { RowsSkeleton } from './quality-skeleton.tsx';
import { StateMenu } from './state-menu.tsx';
import { formatShare, sumOf, wholeOf } from './shares.ts';
import { useExport } from './use-export.ts';
import { useFindings } from './use-quality.ts';

interface FindingListProps {
  readonly state: QualityState;
  readonly dispatch: Dispatch<QualityAction>;
  readonly overview: QualityOverview;
  readonly rowHeight: number;
}

/** The findings of the chosen rule, what can be done with all of them, and the way through them one by one. */
export function FindingList({ state, dispatch, overview, rowHeight }: FindingListProps) {
  const actions = useWorkbenchActions();
  const { remote } = useConnection();
  const announce = useAnnounce();
  const filter = filterOf(state);
  const { query, findings } = useFindings(filter);
  const { fetchNextPage } = query;
  const exportCsv = useExport(filter);
  const undecided = sumOf(overview.undecided ?? {});
  const group = overview.groups.find(({ rule }) => rule === state.rule);
  const groups = state.rule === undefined ? overview.groups : group ? [group] : [];
  const total = groups.reduce((sum, one) => sum + one.findings, 0);
  const named = filter.group === undefined ? undefined : groupOf(filter.group);
  const label = group?.text ?? state.ruleText ?? text.quality.all;

  const fix = useCallback(
    (finding: QualityFinding, quick = false) => {
      const { type, id, title, pointer, rule } = finding;
      dispatch({ type: 'moved', index: Math.max(0, findings.indexOf(finding)), key: keyOf(finding) });
      actions.openRecord({ type, id, title, pointer, ...(quick && { fix: rule }) });
    },
    [actions, dispatch, findings],
  );
  const onMove = useCallback(
    (index: number) => {
      const finding = findings[index];
      if (finding) dispatch({ type: 'moved', index, key: keyOf(finding) });
    },
    [dispatch, findings],
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
    if (index > findings.length - 20 && query.hasNextPage) void fetchNextPage();
  }
  useCommandHandlers({ 'quality.next': () => walk(1), 'quality.previous': () => walk(-1) });

  const chosen = useSelection(findings, keyOf);
  const selection = {
    ...chosen,
    extend: (index: number) => {
      chosen.extend(index);
      onMove(index);
    },
  };
  const [menu, setMenu] = useState(false);
  const atHand =
    chosen.chosen.size > 0
      ? findings.filter((row) => chosen.chosen.has(keyOf(row)))
      : findings.slice(indexOf(state, findings), indexOf(state, findings) + 1);
  const states = findings.some((one) => one.state !== undefined);
  const columns = useMemo(() => findingColumns({ rule: state.rule, states }, fix), [state.rule, states, fix]);
  const onEnd = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const [path] = pathPatterns(findings.map(({ pointer }) => pointer).filter((pointer) => pointer !== ''));

  return (
    <section className={styles.right} aria-label={text.quality.findingsOf(label)}>
      <header className={styles.head}>
        <div>
          <h2 title={label}>{label}</h2>
          <p>
            {group && (
              <>
                <span className={styles.severity} data-severity={group.severity}>
                  {text.quality.severities[group.severity]}
                </span>
                <code>{group.rule}</code>
                <span>{countOf(group.records, 'record')}</span>
                <span>{text.quality.share(formatShare(group.records, wholeOf(overview, filter)))}</span>
              </>
            )}
            <span>{countOf(total, 'finding')}</span>
            {named && (
              <LinkButton
                title={text.quality.groups.all}
                onClick={() => dispatch({ type: 'grouped', by: named.by })}
              >
                {text.quality.groups.by[named.by]}: <GroupKey by={named.by} value={named.key} /> ×
              </LinkButton>
            )}
            {undecided > 0 && <span>{text.quality.undecided(undecided)}</span>}
            <span>
              {text.quality.counted} <RelativeTime instant={overview.computed} />
            </span>
          </p>
        </div>
        {!remote && <StateMenu findings={atHand} opened={menu} onOpened={setMenu} onDone={chosen.clear} />}
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={exportCsv.isPending}
          disabled={total === 0}
          onClick={() => exportCsv.mutate()}
        >
          {text.quality.exportCsv}
        </Button>
        <Button
          leftSection={<IconReplace size={16} aria-hidden />}
          disabled={total === 0}
          onClick={() =>
            actions.replaceInAll({
              kind: 'quality',
              filter,
              label,
              ...(path !== undefined && { path }),
            })
          }
        >
          {text.quality.replaceAll}
        </Button>
      </header>
      {exportCsv.isError && (
        <div className={styles.padded}>
          <FailureMessage title={text.quality.exportFailed} failure={toFailure(exportCsv.error)} />
        </div>
      )}
      {query.isError ? (
        <div className={styles.padded}>
          <FailureMessage
            title={text.quality.failed}
            failure={toFailure(query.error)}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : query.isPending ? (
        <RowsSkeleton />
      ) : state.by && filter.group === undefined ? (
        <GroupList
          filter={filter}
          by={state.by}
          onChoose={(group) =>
            dispatch({ type: 'filtered', filter: { ...state.filter, group: groupText(group) } })
          }
        />
      ) : findings.length === 0 ? (
        <NoFit onClear={() => dispatch({ type: 'filtered', filter: {} })} />
      ) : (
        <>
          <Grid
            key={state.rule ?? ''}
            label={text.quality.findings}
            columns={columns}
            rows={findings}
            total={Math.max(total, findings.length)}
            rowHeight={rowHeight}
            current={indexOf(state, findings)}
            keyOf={keyOf}
            onCurrent={(index) => {
              chosen.move(index);
              onMove(index);
            }}
            {...(!remote && { selection, onMenu: () => setMenu(true) })}
            onOpen={(finding) => fix(finding)}
            onEnd={onEnd}
          />
          <FindingDetail finding={findings[indexOf(state, findings)]} />
          <footer className={styles.foot}>
            <span>{text.quality.loaded(formatCount(findings.length), formatCount(total))}</span>
            <span className={styles.keys}>{text.quality.keys}</span>
          </footer>
        </>
      )}
    </section>
  );
}

/** The finding that the keys are at, in full: its sentence rarely fits in a row. */
function FindingDetail({ finding }: { readonly finding: QualityFinding | undefined }) {
  if (!finding) return null;
  return (
    <p className={styles.detail}>
      {finding.message} <code>{elementOf(finding) || finding.type}</code>
      {finding.state &&
        ` ${[finding.state.assignee, finding.state.reason, finding.state.until, finding.state.note].filter(Boolean).join(' · ')}`}
    </p>
  );
}
