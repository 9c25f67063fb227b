import { useCallback, useMemo, useState, type Dispatch, type ReactNode } from 'react';
import { groupText, type QualityFinding, type QualityOverview } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { OtherRecordLinks } from '../../platform/other-record-links.tsx';
import { useRowHeight } from '../../platform/preferences.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';
import { elementOf, findingColumns } from './finding-columns.tsx';
import { ListActions, ListedRule, listedOf } from './finding-head.tsx';
import { GroupList } from './group-list.tsx';
import { NoFit } from './no-issue.tsx';
import { filterOf, keyOf, type QualityAction, type QualityState } from './quality-state.ts';
import styles from './quality.module.css';
import { RowsSkeleton } from './quality-skeleton.tsx';
import { StateMenu } from './state-menu.tsx';
import { useExport, useFindings, type Findings } from './use-quality.ts';
import { useHand, useWalk } from './use-walk.ts';

interface FindingListProps {
  readonly state: QualityState;
  readonly dispatch: Dispatch<QualityAction>;
  readonly overview: QualityOverview;
}

/** The findings of the chosen rule, what can be done with all of them, and the way through them one by one. */
export function FindingList({ state, dispatch, overview }: FindingListProps) {
  const { remote } = useConnection();
  const rowHeight = useRowHeight();
  const listed = listedOf(state, overview);
  const found = useFindings(listed.filter);
  const { query, findings } = found;
  const { fetchNextPage } = query;
  const exporting = useExport(listed.filter);
  const fix = useWalk({ state, dispatch, found, total: listed.total });
  const { current, atHand, selection } = useHand({ state, dispatch, found });
  const [menu, setMenu] = useState(false);
  const states = findings.some((one) => one.state !== undefined);
  const others = findings.some((one) => one.others !== undefined);
  const columns = useMemo(
    () => findingColumns({ rule: state.rule, states, others }, fix),
    [state.rule, states, others, fix],
  );
  const onEnd = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <section className={styles.right} aria-label={text.quality.findingsOf(listed.label)}>
      <header className={styles.head}>
        <ListedRule {...{ listed, overview }} onUngroup={(by) => dispatch({ type: 'grouped', by })} />
        {!remote && <StateMenu findings={atHand} opened={menu} onOpened={setMenu} onDone={selection.clear} />}
        <ListActions {...{ listed, findings, exporting }} />
      </header>
      <RequestFailure padded title={text.quality.exportFailed} of={exporting} />
      <Face {...{ state, dispatch, found }}>
        <Grid
          key={state.rule ?? ''}
          label={text.quality.findings}
          columns={columns}
          rows={findings}
          total={Math.max(listed.total, findings.length)}
          rowHeight={rowHeight}
          current={current}
          keyOf={keyOf}
          onCurrent={(index) => selection.move(index)}
          {...(!remote && { selection, onMenu: () => setMenu(true) })}
          onOpen={(finding) => fix(finding)}
          onEnd={onEnd}
        />
        <FindingDetail finding={findings[current]} />
        <footer className={`${frame.foot} ${styles.foot}`}>
          <span>{text.quality.loaded(formatCount(findings.length), formatCount(listed.total))}</span>
          <span className={frame.keys}>{text.quality.keys}</span>
        </footer>
      </Face>
    </section>
  );
}

interface FaceProps extends Pick<FindingListProps, 'state' | 'dispatch'> {
  readonly found: Findings;
  /** The findings, where some are there and they are not put together. */
  readonly children: ReactNode;
}

function Face({ state, dispatch, found: { query, findings }, children }: FaceProps) {
  const filter = filterOf(state);
  if (query.isError) return <RequestFailure padded title={text.quality.failed} of={query} />;
  if (query.isPending) return <RowsSkeleton />;
  if (state.by && filter.group === undefined) {
    return (
      <GroupList
        filter={filter}
        by={state.by}
        onChoose={(group) =>
          dispatch({ type: 'filtered', filter: { ...state.filter, group: groupText(group) } })
        }
      />
    );
  }
  if (findings.length === 0) return <NoFit onClear={() => dispatch({ type: 'filtered', filter: {} })} />;
  return children;
}

/** The finding that the keys are at, in full: its sentence rarely fits in a row. */
function FindingDetail({ finding }: { readonly finding: QualityFinding | undefined }) {
  if (!finding) return null;
  return (
    <p className={styles.detail}>
      {finding.message} <code>{elementOf(finding) || finding.type}</code>
      {finding.state &&
        ` ${[finding.state.assignee, finding.state.reason, finding.state.until, finding.state.note].filter(Boolean).join(' · ')}`}{' '}
      <OtherRecordLinks others={finding.others} moreOthers={finding.moreOthers} />
    </p>
  );
}
