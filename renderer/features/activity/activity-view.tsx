import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useRowHeight } from '../../platform/preferences.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { LogEmpty, LogSkeleton } from '../../ui/log/log-faces.tsx';
import { LogGrid } from '../../ui/log/log-grid.tsx';
import styles from '../../ui/log/log.module.css';
import { text } from '../../ui/text.ts';
import { ActivityDetails } from './activity-details.tsx';
import { activityReducer, filterOf, initialActivity } from './activity-state.ts';
import { activityColumns } from './activity-columns.tsx';
import { ClearDialog } from './clear-dialog.tsx';
import { FilterRow } from './filter-row.tsx';
import { useActivity } from './use-activity.ts';

/** Milliseconds after the last key until what was typed counts. */
const typingPause = 150;

/** The Activity tab: what the workbench asked of the server, newest first. */
export function ActivityView({ front }: { readonly front: boolean }) {
  const [state, dispatch] = useReducer(activityReducer, initialActivity);
  const [clearing, setClearing] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const [typed] = useDebouncedValue(state.form.text, typingPause);
  const filter = filterOf({ ...state, form: { ...state.form, text: typed } });
  const filtered = Object.keys(filter).length > 0;
  const activity = useActivity(filter, front);
  const { query, entries, total, newerCount, takeNewer } = activity;
  const columns = useMemo(() => activityColumns(entries), [entries]);

  useEffect(() => {
    const grid = scroller.current;
    const isReading =
      state.shown !== undefined ||
      (grid !== null && (grid.scrollTop > 0 || grid.contains(document.activeElement)));
    if (newerCount > 0 && !isReading) takeNewer();
  });

  function showNewer() {
    takeNewer();
    scroller.current?.scrollTo({ top: 0 });
  }

  function hide() {
    dispatch({ type: 'hide' });
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus(),
    );
  }

  return (
    <div className={styles.view}>
      <FilterRow
        form={state.form}
        filtered={filtered}
        clearable={query.isSuccess && (entries.length > 0 || filtered)}
        onChange={(form) => dispatch({ type: 'changed', form, now: Date.now() })}
        onReset={() => dispatch({ type: 'reset' })}
        onClear={() => setClearing(true)}
      />
      {query.isPending && <LogSkeleton />}
      {query.isError && (
        <div className={styles.padded}>
          <FailureMessage
            title={text.activity.failed}
            failure={toFailure(query.error)}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {query.isSuccess && entries.length === 0 && (
        <EmptyFace filtered={filtered} onReset={() => dispatch({ type: 'reset' })} />
      )}
      {query.isSuccess && entries.length > 0 && (
        <>
          <div className={styles.split}>
            <LogGrid
              label={text.activity.name}
              columns={columns}
              entries={entries}
              total={total}
              rowHeight={rowHeight}
              busy={query.isFetching}
              shown={state.shown?.seq}
              scroller={scroller}
              onShow={(entry) => dispatch({ type: 'show', entry })}
              onHide={hide}
              onEnd={() => {
                if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
              }}
            />
            {state.shown && <ActivityDetails entry={state.shown} onHide={hide} />}
          </div>
          <div className={styles.foot}>
            <span>{text.activity.total(total, filtered)}</span>
            {newerCount > 0 && <Button onClick={showNewer}>{text.activity.newer(newerCount)}</Button>}
            {activity.isBehind && <span className={styles.behind}>{text.activity.notUpdated}</span>}
            <span className={styles.keys}>{text.log.keys}</span>
          </div>
        </>
      )}
      {clearing && <ClearDialog onClose={() => setClearing(false)} />}
    </div>
  );
}

function EmptyFace({ filtered, onReset }: { readonly filtered: boolean; readonly onReset: () => void }) {
  const workbench = useWorkbenchActions();
  const words = text.activity;
  return (
    <LogEmpty
      title={filtered ? words.noMatch : words.empty}
      detail={filtered ? words.noMatchDetail : words.emptyDetail}
    >
      {filtered ? (
        <Button onClick={onReset}>{text.log.reset}</Button>
      ) : (
        <Button onClick={() => workbench.openView('search')}>{words.emptyAction}</Button>
      )}
    </LogEmpty>
  );
}
