import { useEffect, useReducer, useRef, type ReactNode } from 'react';
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
import { RuleFilter } from './rule-filter.tsx';
import { RuleList } from './rule-list.tsx';
import { sumCounts } from './percentages.ts';
import { TrendHead } from './trend-head.tsx';
import { useQualityOverview } from './use-quality.ts';

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

  useConsumed(initialQualityFilter, ({ type, rule }) =>
    dispatch({ type: 'asked', filter: { type, ...(!remote && { state: 'open' }) }, rule }),
  );
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
