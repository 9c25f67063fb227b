import { useEffect, useReducer, useRef, type ReactNode } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useTaken } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import { FindingList } from './finding-list.tsx';
import { Judging } from './judging.tsx';
import { NoIssue } from './no-issue.tsx';
import { initialQuality, openQuality, qualityAsked, qualityReducer } from './quality-state.ts';
import styles from './quality.module.css';
import { QualitySkeleton } from './quality-skeleton.tsx';
import { RemoteQuality } from './remote-quality.tsx';
import { RuleFilter } from './rule-filter.tsx';
import { RuleList } from './rule-list.tsx';
import { sumOf } from './shares.ts';
import { TrendHead } from './trend-head.tsx';
import { useQualityOverview } from './use-quality.ts';

interface QualityViewProps {
  readonly front: boolean;
  /** Kept bulk runs, beneath the rules. */
  readonly runs: ReactNode;
}

/** The Quality view: the server's own worklist, or that of a check where the server is another's. */
export function QualityView(props: QualityViewProps) {
  const { remote } = useConnection();
  const list = <Worklist {...props} />;
  return remote ? <RemoteQuality>{list}</RemoteQuality> : list;
}

/** The broken rules with their counts, and the findings of the chosen one. */
function Worklist({ front, runs }: QualityViewProps) {
  const { remote } = useConnection();
  const [state, dispatch] = useReducer(qualityReducer, remote ? initialQuality : openQuality);
  const overview = useQualityOverview(state.filter);
  const view = useRef<HTMLDivElement>(null);
  const { isSuccess } = overview;

  useTaken(qualityAsked, ({ type, rule }) =>
    dispatch({ type: 'asked', filter: { type, ...(!remote && { state: 'open' }) }, rule }),
  );
  useEffect(() => {
    if (!front || !isSuccess || !isFocusLost()) return;
    const places = ['[role=row][tabindex="0"]', '[role=option][tabindex="0"]'];
    places
      .map((place) => view.current?.querySelector<HTMLElement>(place))
      .find(Boolean)
      ?.focus();
  }, [front, isSuccess]);

  if (overview.isPending) return <QualitySkeleton />;
  if (overview.isError) return <RequestFailure padded title={text.quality.failed} of={overview} />;
  const { data } = overview;
  if (sumOf(data.flagged) === 0) {
    return (
      <div className={styles.page}>
        <TrendHead />
        <NoIssue overview={data}>
          <Judging />
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
            by={state.by}
            onChange={(filter) => dispatch({ type: 'filtered', filter })}
            onGroup={(by) => dispatch({ type: 'grouped', by })}
          />
          <RuleList
            overview={data}
            filter={state.filter}
            rule={state.rule}
            onChoose={(group) => dispatch({ type: 'chosen', group })}
          />
          <Judging />
          {runs}
        </aside>
        <FindingList state={state} dispatch={dispatch} overview={data} />
      </div>
    </div>
  );
}
