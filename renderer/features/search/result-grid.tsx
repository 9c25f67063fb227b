import { useTable } from '@tanstack/react-table';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { text } from '../../ui/text.ts';
import { rowAfterKey } from './grid-keys.ts';
import { columns, features, tracksFor } from './result-columns.tsx';
import { GridHeader } from './grid-header.tsx';
import { addressOf, type RecordAddress, type ResultRow } from './result-rows.ts';
import styles from './search.module.css';

const rowHeight = 28;

interface ResultGridProps {
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly busy: boolean;
  readonly onOpen: (record: RecordAddress) => void;
}

/** The matches: virtualised, sorted by any column, driven by keys; one row is in the tab order. */
export const ResultGrid = memo(function ResultGrid({ rows, total, busy, onOpen }: ResultGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const table = useTable({ features, columns, data: rows, getRowId: (row) => `${row.type}/${row.id}` });
  const sorted = table.getRowModel().rows;
  // By id, so that sorting moves the chosen row and does not choose another.
  const current = useMemo(
    () =>
      Math.max(
        0,
        sorted.findIndex(({ id }) => id === activeId),
      ),
    [sorted, activeId],
  );

  const gridStyle: CSSProperties & Record<'--tracks', string> = useMemo(
    () => ({ '--tracks': tracksFor(rows) }),
    [rows],
  );

  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    // The row in the tab order stays drawn, so that scrolling it away does not drop the focus.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });

  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus({ preventScroll: true });
  }, [current]);

  function open(index: number) {
    const row = sorted[index];
    const address = row && addressOf(row.original);
    if (address) onOpen(address);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.closest('[role=columnheader]')) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      open(current);
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const target = rowAfterKey(event.key, current, sorted.length, page);
    if (target === undefined) return;
    event.preventDefault();
    if (target === current) return;
    moved.current = true;
    setActiveId(sorted[target]?.id);
    virtual.scrollToIndex(target);
  }

  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={text.results.name}
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      aria-busy={busy}
      onKeyDown={onKeyDown}
      style={gridStyle}
    >
      <GridHeader table={table} />
      <div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = sorted[index];
          if (!row) return null;
          return (
            <div
              key={row.id}
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={index === current}
              tabIndex={index === current ? 0 : -1}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
              onFocus={() => setActiveId(row.id)}
              onDoubleClick={() => open(index)}
            >
              {row.getAllCells().map((cell) => {
                const { meta } = cell.column.columnDef;
                return (
                  <div
                    key={cell.id}
                    role="gridcell"
                    className={meta?.mono ? `${styles.cell} mono` : styles.cell}
                    title={meta?.hint?.(row.original)}
                  >
                    <table.FlexRender cell={cell} />
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
});
