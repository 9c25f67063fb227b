import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { ActivityEntry } from '../../../core/app/activity.ts';
import { useRowHeight } from '../../platform/preferences.ts';
import { rowAfterKey } from '../../ui/grid-keys.ts';
import { text } from '../../ui/text.ts';
import { columnsFor, tracksFor } from './activity-columns.tsx';
import styles from './activity.module.css';

/** Rows from the end at which older entries are asked for. */
const ahead = 30;

interface ActivityTableProps {
  readonly entries: readonly ActivityEntry[];
  readonly total: number;
  readonly busy: boolean;
  readonly shown: number | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onShow: (entry: ActivityEntry) => void;
  readonly onHide: () => void;
  /** The end of what is loaded comes near. */
  readonly onEnd: () => void;
}

/** The entries: virtualised, driven by keys; one row is in the tab order. */
export function ActivityTable({
  entries,
  total,
  busy,
  shown,
  scroller,
  onShow,
  onHide,
  onEnd,
}: ActivityTableProps) {
  const rowHeight = useRowHeight();
  const [activeSeq, setActiveSeq] = useState<number>();
  const columns = columnsFor(shown !== undefined);
  const tracks = tracksFor(columns, entries);
  // By number, so that newer entries above do not choose another.
  const current = useMemo(
    () =>
      Math.max(
        0,
        entries.findIndex(({ seq }) => seq === activeSeq),
      ),
    [entries, activeSeq],
  );

  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const items = virtual.getVirtualItems();
  const lastDrawn = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastDrawn >= entries.length - ahead) onEnd();
  }, [lastDrawn, entries.length, onEnd]);

  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true });
  }, [current, scroller]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      const entry = entries[current];
      if (entry) onShow(entry);
      return;
    }
    if (event.key === 'Escape' && shown !== undefined) {
      event.preventDefault();
      onHide();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const target = rowAfterKey(event.key, current, entries.length, page);
    if (target === undefined) return;
    event.preventDefault();
    const entry = entries[target];
    if (target === current || !entry) return;
    moved.current = true;
    setActiveSeq(entry.seq);
    if (shown !== undefined) onShow(entry);
    virtual.scrollToIndex(target);
  }

  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={text.activity.name}
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      aria-busy={busy}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: tracks }}>
          {columns.map(({ id, end }) => (
            <div key={id} role="columnheader" className={styles.headCell} data-end={end}>
              {text.activity.columns[id]}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          return (
            <div
              key={entry.seq}
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={entry.seq === shown}
              tabIndex={index === current ? 0 : -1}
              className={styles.row}
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: tracks }}
              onFocus={() => setActiveSeq(entry.seq)}
              onClick={() => onShow(entry)}
            >
              {columns.map(({ id, mono, end, cell, hint }) => (
                <div
                  key={id}
                  role="gridcell"
                  className={mono ? `${styles.cell} mono` : styles.cell}
                  data-end={end}
                  title={hint?.(entry)}
                >
                  {cell(entry)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
