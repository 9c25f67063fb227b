import { useElementSize, useMergedRef } from '@mantine/hooks';
import {
  memo,
  useEffect,
  useMemo,
  useRef,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { usePresent } from '../present.ts';
import { useStable } from '../use-stable.ts';
import { tracksOf, type GridColumn } from './columns.ts';
import { GridHead } from './grid-head.tsx';
import { actAfterKey, rowAfterKey, type RowAct } from './grid-keys.ts';
import type { GridProps } from './grid-props.ts';
import styles from './grid.module.css';
import { currentRow, rowPointer } from './row-pointer.ts';
import { useVirtualRows, type VirtualRows } from './use-virtual-rows.ts';
import { checkKeys } from './unique-keys.ts';

/** Virtual rows in columns, driven by keys; one row is in the tab order. */
export function Grid<Row>(props: GridProps<Row>) {
  const { rows, total, rowHeight } = props;
  const current = Math.max(0, Math.min(props.current, rows.length - 1));
  const own = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? own;
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const shell = useMergedRef(scroller, sized);
  const columns = useFitting(props.columns, width, props.onFit);
  const tracks = useMemo(() => tracksOf(columns, props.widths), [columns, props.widths]);
  const virtual = useVirtualRows({
    scroller,
    rowHeight,
    current,
    count: rows.length,
    total: total ?? Infinity,
    onEnd: props.onEnd,
  });
  const { focusCurrent, onKeyDown } = useKeys(props, { current, scroller, virtual });
  const style: CSSProperties & Record<'--tracks' | '--tracks-width', string> = {
    '--tracks': tracks.template,
    '--tracks-width': `${tracks.width}px`,
  };
  return (
    <div
      ref={shell}
      className={styles.grid}
      role="grid"
      aria-label={props.label}
      aria-rowcount={total === undefined ? -1 : total + 1}
      aria-colcount={columns.length}
      aria-multiselectable={props.selection && true}
      aria-busy={props.busy}
      onKeyDown={onKeyDown}
      style={style}
    >
      <GridHead
        columns={columns}
        sorting={props.sorting}
        onSort={props.onSort}
        onResize={props.onResize}
        onMove={props.onMove}
        onLeave={focusCurrent}
      />
      <GridRows {...{ columns, current, virtual }} grid={props} />
    </div>
  );
}

interface GridRowsProps<Row> {
  readonly grid: GridProps<Row>;
  /** Those that there is room for. */
  readonly columns: readonly GridColumn<Row>[];
  readonly current: number;
  readonly virtual: VirtualRows;
}

function GridRows<Row>({ grid, columns, current, virtual }: GridRowsProps<Row>) {
  const { rows, keyOf, selection, details } = grid;
  // While the page is developed and in its component tests; the check is left out of what ships.
  if (import.meta.env.DEV) checkKeys(grid);
  const now = usePresent();
  const style: CSSProperties & Record<'--row-height', string> = {
    height: virtual.getTotalSize(),
    '--row-height': `${grid.rowHeight}px`,
  };
  return (
    <div role="rowgroup" className={styles.rows} style={style} {...rowPointer(grid, columns)}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows.at(index);
        if (row === undefined) return null;
        const key = keyOf(row, index);
        return (
          <GridRow
            key={key}
            row={row}
            index={index}
            start={start}
            columns={columns}
            current={index === current}
            selected={selection?.chosen.has(key) ?? (details ? key === details.shown : index === current)}
            now={now}
          />
        );
      })}
    </div>
  );
}

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
const GridRow = memo(PlainRow) as typeof PlainRow;

interface KeyPlace {
  readonly current: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtual: VirtualRows;
}

/** Keys move, and act on, the row at hand; the focus goes along with it. */
function useKeys<Row>(props: GridProps<Row>, { current, scroller, virtual }: KeyPlace) {
  const moved = useRef(false);
  const focusCurrent = useStable(() => currentRow(scroller.current)?.focus({ preventScroll: true }));
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    focusCurrent();
  }, [current, focusCurrent]);

  function goTo(index: number, extending: boolean) {
    moved.current = index !== current;
    if (extending && props.selection) props.selection.extend(index);
    else props.onCurrent(index);
    virtual.scrollToIndex(index);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || (event.target instanceof HTMLElement && event.target.closest('button'))) return;
    const act = actAfterKey(event);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / props.rowHeight) - 2);
    const target = rowAfterKey(event.key, current, props.rows.length, page);
    const move = target !== undefined && !event.ctrlKey && !event.metaKey;
    const run = move ? () => goTo(target, event.shiftKey) : act && actsOf(props, current, scroller)[act];
    if (!run) return;
    event.preventDefault();
    run();
  }
  return { focusCurrent, onKeyDown };
}

/** What keys do to the row at hand; those of another grid pass. */
function actsOf<Row>(
  { rows, details, selection, onOpen, onEnter, onCopy, onMenu }: GridProps<Row>,
  current: number,
  scroller: RefObject<HTMLDivElement | null>,
): Partial<Record<RowAct, (() => void) | undefined>> {
  const row = rows.at(current);
  return {
    open: onEnter ?? (() => row !== undefined && onOpen?.(row)),
    toggle: selection && (() => selection.toggle(current)),
    all: selection?.all,
    leave: details?.shown === undefined ? selection?.clear : details.onHide,
    // A text that was marked with the mouse is what a person means to copy.
    copy: getSelection()?.isCollapsed === false ? undefined : onCopy,
    menu:
      onMenu &&
      (() => {
        const place = currentRow(scroller.current)?.getBoundingClientRect();
        if (place) onMenu({ x: place.left + 24, y: place.bottom });
      }),
  };
}

/** The columns that a grid of this width has room for; the same list until one comes or goes, which `onFit` is told. */
function useFitting<Row>(
  columns: readonly GridColumn<Row>[],
  width: number,
  onFit: GridProps<Row>['onFit'],
): readonly GridColumn<Row>[] {
  const room = Math.max(0, ...columns.flatMap(({ from = 0 }) => (from <= width ? from : [])));
  const fitting = useMemo(() => columns.filter(({ from = 0 }) => from <= room), [columns, room]);
  useEffect(() => {
    onFit?.(fitting.map(({ id }) => id));
  }, [fitting, onFit]);
  return fitting;
}
