import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { RequestFailure } from '../failure-message.tsx';
import { SkeletonRows } from '../answered.tsx';
import type { GridColumn } from '../grid/columns.ts';
import { Grid } from '../grid/grid.tsx';
import { text } from '../text.ts';
import styles from './log.module.css';
import frame from '../view.module.css';
import type { Log, LogForm } from './use-log.ts';

interface LogListProps<Form extends LogForm, Entry> {
  readonly log: Log<Form, Entry, object>;
  /** `about` tells this log from the other. */
  readonly words: Readonly<Record<'about' | 'failed' | 'empty' | 'emptyDetail', string>>;
  readonly label: string;
  readonly query: UseInfiniteQueryResult;
  readonly entries: readonly Entry[];
  /** On all pages; absent where nobody knows. */
  readonly total?: number;
  readonly columns: readonly GridColumn<Entry>[];
  readonly rowHeight: number;
  /** Leads to where entries come from, out of an empty log. */
  readonly onBegin: () => void;
  readonly details: (entry: Entry) => ReactNode;
  /** The foot, before what the keys do. */
  readonly children: ReactNode;
}

/** Beneath the filter: the entries with the details of one beside them, or the face of a list that has none. */
export function LogList<Form extends LogForm, Entry extends { readonly seq: number }>(
  props: LogListProps<Form, Entry>,
) {
  const { log, words, query } = props;
  if (query.isPending) return <SkeletonRows count={12} />;
  if (query.isError) return <RequestFailure padded title={words.failed} of={query} />;
  if (props.entries.length === 0) {
    const { noMatch, noMatchDetail, reset, emptyAction } = text.log;
    const face = log.filtered
      ? { title: noMatch, detail: noMatchDetail, next: reset, onNext: log.reset }
      : { title: words.empty, detail: words.emptyDetail, next: emptyAction, onNext: props.onBegin };
    return (
      <div className={frame.notOffered}>
        <h2>{face.title}</h2>
        <p>{face.detail}</p>
        <Button mt={16} onClick={face.onNext}>
          {face.next}
        </Button>
      </div>
    );
  }
  return (
    <>
      <div className={styles.split}>
        <Entries {...props} />
        {log.shown && props.details(log.shown)}
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

/** The entries, newest first; the chosen one stays chosen where newer ones come above it. */
function Entries<Form extends LogForm, Entry extends { readonly seq: number }>({
  log: { shown, show, hide, scroller },
  query,
  entries,
  ...grid
}: LogListProps<Form, Entry>) {
  const [active, setActive] = useState<number>();
  const current = Math.max(
    0,
    entries.findIndex(({ seq }) => seq === active),
  );

  function move(index: number) {
    const entry = entries[index];
    if (!entry) return;
    setActive(entry.seq);
    // Open details follow the keys.
    if (shown && shown.seq !== entry.seq) show(entry);
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
      onCurrent={move}
      onOpen={show}
      onEnd={() => {
        if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
      }}
      details={{ shown: shown && keyOf(shown), onHide: hide }}
      busy={query.isFetching}
      scroller={scroller}
    />
  );
}

function keyOf({ seq }: { readonly seq: number }): string {
  return String(seq);
}
