import { memo } from 'react';
import type { ResultColumn } from './result-columns.tsx';
import type { ResultRow } from './result-rows.ts';
import styles from './search.module.css';

interface GridRowProps {
  readonly row: ResultRow;
  readonly index: number;
  readonly start: number;
  readonly columns: readonly ResultColumn[];
  /** The row in the tab order. */
  readonly current: boolean;
  readonly chosen: boolean;
  readonly now: number;
}

/** One match. Drawn anew only where something of it changed: scrolling moves its neighbours, not it. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, start, columns, current, chosen, now } = props;
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-current={current || undefined}
      tabIndex={current ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={column.mono ? `${styles.cell} mono` : styles.cell}
          data-cut-at-start={column.cutAtStart}
        >
          {column.cell(row, now)}
        </div>
      ))}
    </div>
  );
});
