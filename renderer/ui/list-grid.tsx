import { useElementSize, useMergedRef } from '@mantine/hooks';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { rowAfterKey } from './grid-keys.ts';
import styles from './list-grid.module.css';

export interface ListColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Width as a track of the row's CSS grid. */
  readonly track: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the cell's tooltip says. */
  readonly hint?: (row: Row) => string;
  readonly mono?: true;
  /** Aligned at the column's end, as numbers are. */
  readonly end?: true;
  /** Least width of the list in CSS pixels at which the column is shown; it is always shown where absent. */
  readonly from?: number;
}

interface ListGridProps<Row> {
  readonly label: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly rows: readonly Row[];
  /** All rows there are, also those that are not loaded; absent where nobody knows. */
  readonly total?: number;
  readonly rowHeight: number;
  /** Index of the row in the tab order. */
  readonly current: number;
  readonly keyOf: (row: Row) => string;
  readonly onCurrent: (index: number) => void;
  readonly onOpen: (row: Row) => void;
  /** The last loaded rows came into view. */
  readonly onEnd?: () => void;
  /** Where the details of a row stand beside the list: a click opens a row, Escape closes the details. */
  readonly details?: { readonly shown: string | undefined; readonly onHide: () => void };
  readonly busy?: boolean;
  /** The element that scrolls, for who draws the list. */
  readonly scroller?: RefObject<HTMLDivElement | null>;
}

/** Rows from which on `onEnd` is called, counted from the last. */
const nearEnd = 50;

/** A virtualised list in columns, driven by keys; one row is in the tab order, Enter or a double click opens it. */
export function ListGrid<Row>(props: ListGridProps<Row>) {
  const { label, rows, total, rowHeight, current, keyOf, onCurrent, onOpen, onEnd, details } = props;
  const own = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? own;
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const shell = useMergedRef(scroller, sized);
  const columns = props.columns.filter(({ from = 0 }) => width >= from);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    // The row in the tab order stays drawn, so that scrolling it away does not drop the focus.
    rangeExtractor: (range) => [
      ...new Set([...defaultRangeExtractor(range), Math.max(0, Math.min(current, range.count - 1))]),
    ],
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  const items = virtual.getVirtualItems();
  const lastSeen = virtual.range?.endIndex ?? 0;
  const atEnd = rows.length > 0 && rows.length < (total ?? Infinity) && lastSeen >= rows.length - nearEnd;
  useEffect(() => {
    if (atEnd) onEnd?.();
  }, [atEnd, onEnd, rows.length]);

  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true });
  }, [current, scroller]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('button')) return;
    const row = rows[current];
    if (event.key === 'Enter') {
      event.preventDefault();
      if (row) onOpen(row);
      return;
    }
    if (event.key === 'Escape' && details?.shown !== undefined) {
      event.preventDefault();
      details.onHide();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const target = rowAfterKey(event.key, current, rows.length, page);
    if (target === undefined) return;
    event.preventDefault();
    if (target === current) return;
    moved.current = true;
    onCurrent(target);
    virtual.scrollToIndex(target);
  }

  const style: CSSProperties & Record<'--tracks', string> = {
    '--tracks': columns.map(({ track }) => track).join(' '),
  };
  return (
    <div
      ref={shell}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-colcount={columns.length}
      aria-busy={props.busy}
      onKeyDown={onKeyDown}
      style={style}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.headRow}>
          {columns.map((column) => (
            <div key={column.id} role="columnheader" className={styles.headCell} data-end={column.end}>
              {column.label}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={keyOf(row)}
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={details ? keyOf(row) === details.shown : index === current}
              tabIndex={index === current ? 0 : -1}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              onFocus={() => onCurrent(index)}
              onClick={details && (() => onOpen(row))}
              onDoubleClick={details ? undefined : () => onOpen(row)}
            >
              {columns.map(({ id, cell, hint, mono, end }) => (
                <div
                  key={id}
                  role="gridcell"
                  className={mono ? `${styles.cell} mono` : styles.cell}
                  data-end={end}
                  title={hint?.(row)}
                >
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
