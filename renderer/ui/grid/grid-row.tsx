import { memo, type ReactNode } from 'react';
import type { GridColumn } from './columns.ts';
import styles from './grid.module.css';

interface GridRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  /** Distance from the first row's top in CSS pixels. */
  readonly start: number;
  readonly columns: readonly GridColumn<Row>[];
  /** The row in the tab order. */
  readonly current: boolean;
  readonly selected: boolean;
  readonly now: number;
}

function PlainRow<Row>({ row, index, start, columns, current, selected, now }: GridRowProps<Row>): ReactNode {
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-current={current || undefined}
      tabIndex={current ? 0 : -1}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
    >
      {columns.map(({ id, cell, mono, end }) => (
        <div key={id} role="gridcell" className={mono ? `${styles.cell} mono` : styles.cell} data-end={end}>
          {cell(row, now)}
        </div>
      ))}
    </div>
  );
}

/** A row. It is drawn anew only where something of it changed: scrolling moves its neighbours, not it. */
export const GridRow = memo(PlainRow) as typeof PlainRow;
