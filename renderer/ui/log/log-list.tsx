import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { RequestFailure } from '../failure-message.tsx';
import { SkeletonRows } from '../query-state.tsx';
import type { GridColumn } from '../grid/columns.ts';
import { Grid } from '../grid/grid.tsx';
import { text } from '../text.ts';
import styles from './log.module.css';
import frame from '../view.module.css';
import type { Log, LogForm } from './use-log.ts';

interface LogListProps<Form extends LogForm, Entry> {
  readonly log: Log<Form, Entry, object>;
  /** `about` explains the difference between the logs. */
  readonly words: Readonly<Record<'about' | 'failed' | 'empty' | 'emptyDetail', string>>;
  readonly label: string;
  readonly query: UseInfiniteQueryResult;
  readonly entries: readonly Entry[];
  /** Number of entries on all pages; undefined if unknown. */
  readonly total?: number;
  readonly columns: readonly GridColumn<Entry>[];
  readonly rowHeight: number;
  /** Leads out of an empty log to the origin of entries. */
  readonly onBegin: () => void;
  readonly details: (entry: Entry) => ReactNode;
  /** Content of the footer before the keyboard hints. */
  readonly children: ReactNode;
}

/** Entries with the details of one, or the loading, error or empty state. */
export function LogList<Form extends LogForm, Entry extends { readonly seq: number }>(
  props: LogListProps<Form, Entry>,
) {
  const { log, words, query } = props;
  if (query.isPending) return <SkeletonRows count={12} />;
  if (query.isError) return <RequestFailure hasPadding title={words.failed} query={query} />;
  if (props.entries.length === 0) {
    const { noMatch, noMatchDetail, reset, emptyAction } = text.log;
    const emptyState = log.isFiltered
      ? { title: noMatch, detail: noMatchDetail, next: reset, onNext: log.reset }
      : { title: words.empty, detail: words.emptyDetail, next: emptyAction, onNext: props.onBegin };
    return (
      <div className={frame.notOffered}>
        <h2>{emptyState.title}</h2>
        <p>{emptyState.detail}</p>
        <Button mt={16} onClick={emptyState.onNext}>
          {emptyState.next}
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className={styles.split}>
        <Entries {...props} />
        {log.shownEntry && props.details(log.shownEntry)}
      </div>
      <div className={`${frame.foot} ${styles.foot}`}>
        {props.children}
        <span className={styles.about} title={words.about}>
          {words.about}
        </span>
        <span className={`${frame.keys} ${styles.keys}`}>{text.log.keys}</span>
      </div>
    </>
  );
}

/** Entries, latest first. The active entry stays active when newer ones arrive. */
function Entries<Form extends LogForm, Entry extends { readonly seq: number }>({
  log: { shownEntry, showEntry, hideDetails, scroller },
  query,
  entries,
  ...grid
}: LogListProps<Form, Entry>) {
  const [activeSeq, setActiveSeq] = useState<number>();
  const current = Math.max(
    0,
    entries.findIndex(({ seq }) => seq === activeSeq),
  );

  function moveTo(index: number) {
    const entry = entries[index];
    if (!entry) return;
    setActiveSeq(entry.seq);
    // Open details follow the active entry.
    if (shownEntry && shownEntry.seq !== entry.seq) showEntry(entry);
  }

  return (
    <Grid
      label={grid.label}
      columns={grid.columns}
      rows={entries}
      total={grid.total}
      rowHeight={grid.rowHeight}
      current={current}
      keyOf={keyOf}
      onCurrent={moveTo}
      onOpen={showEntry}
      onEnd={() => {
        if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
      }}
      details={{ shownKey: shownEntry && keyOf(shownEntry), onHide: hideDetails }}
      busy={query.isFetching}
      scroller={scroller}
    />
  );
}

function keyOf({ seq }: { readonly seq: number }): string {
  return String(seq);
}
