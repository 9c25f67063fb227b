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
import { GridHeader } from './grid-head.tsx';
import { getActionForKey, rowAfterKey, type RowAction } from './grid-keys.ts';
import type { GridProps } from './grid-props.ts';
import styles from './grid.module.css';
import { currentRow, rowPointer } from './row-pointer.ts';
import { assertUniqueKeys } from './unique-keys.ts';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';

/** Virtual rows in columns with keyboard control. One row is in the tab order. */
export function Grid<Row>(props: GridProps<Row>) {
  const { rows, total, rowHeight } = props;
  const current = Math.max(0, Math.min(props.current, rows.length - 1));
  const localScroller = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? localScroller;
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>();
  const gridRef = useMergedRef(scroller, sizeRef);
  const columns = useFittingColumns(props.columns, width, props.onFit);
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
      ref={gridRef}
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
      <GridHeader
        columns={columns}
        sorting={props.sorting}
        onSort={props.onSort}
        onResize={props.onResize}
        onMove={props.onMove}
        onLeave={focusCurrent}
      />
      <GridRows columns={columns} current={current} virtual={virtual} grid={props} />
    </div>
  );
}

interface GridRowsProps<Row> {
  readonly grid: GridProps<Row>;
  /** The columns that fit. */
  readonly columns: readonly GridColumn<Row>[];
  readonly current: number;
  readonly virtual: VirtualRows;
}

function GridRows<Row>({ grid, columns, current, virtual }: GridRowsProps<Row>) {
  const { rows, keyOf, selection, details } = grid;
  // Only in development and component tests; production builds leave the check out.
  if (import.meta.env.DEV) assertUniqueKeys(grid);
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
            selected={selection?.chosen.has(key) ?? (details ? key === details.shownKey : index === current)}
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
  /** Distance from the top of the first row in CSS pixels. */
  readonly start: number;
  readonly columns: readonly GridColumn<Row>[];
  /** True for the row in the tab order. */
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
      {columns.map(({ id, cell, isMonospaced, isEndAligned }) => (
        <div
          key={id}
          role="gridcell"
          className={isMonospaced ? `${styles.cell} mono` : styles.cell}
          data-end={isEndAligned}
        >
          {cell(row, now)}
        </div>
      ))}
    </div>
  );
}

/** A row. It renders again only if it changed, not when its neighbors move. */
const GridRow = memo(PlainRow) as typeof PlainRow;

interface KeyContext {
  readonly current: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtual: VirtualRows;
}

/** Keys move from the current row and act on it. The focus follows. */
function useKeys<Row>(props: GridProps<Row>, { current, scroller, virtual }: KeyContext) {
  const wasMoved = useRef(false);
  const focusCurrent = useStable(() => currentRow(scroller.current)?.focus({ preventScroll: true }));
  useEffect(() => {
    if (!wasMoved.current) return;
    wasMoved.current = false;
    focusCurrent();
  }, [current, focusCurrent]);

  function goTo(index: number, isExtending: boolean) {
    wasMoved.current = index !== current;
    if (isExtending && props.selection) props.selection.extend(index);
    else props.onCurrent(index);
    virtual.scrollToIndex(index);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || (event.target instanceof HTMLElement && event.target.closest('button'))) return;
    const action = getActionForKey(event);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / props.rowHeight) - 2);
    const target = rowAfterKey(event.key, current, props.rows.length, page);
    const isMove = target !== undefined && !event.ctrlKey && !event.metaKey;
    const runAction = isMove
      ? () => goTo(target, event.shiftKey)
      : action && listActions(props, current, scroller)[action];
    if (!runAction) return;
    event.preventDefault();
    runAction();
  }
  return { focusCurrent, onKeyDown };
}

function listActions<Row>(
  { rows, details, selection, onOpen, onEnter, onCopy, onMenu }: GridProps<Row>,
  current: number,
  scroller: RefObject<HTMLDivElement | null>,
): Partial<Record<RowAction, (() => void) | undefined>> {
  const row = rows.at(current);
  return {
    open: onEnter ?? (() => row !== undefined && onOpen?.(row)),
    toggle: selection && (() => selection.toggle(current)),
    all: selection?.all,
    leave: details?.shownKey === undefined ? selection?.clear : details.onHide,
    // Copy selected text if there is any.
    copy: getSelection()?.isCollapsed === false ? undefined : onCopy,
    menu:
      onMenu &&
      (() => {
        const rowBounds = currentRow(scroller.current)?.getBoundingClientRect();
        if (rowBounds) onMenu({ x: rowBounds.left + 24, y: rowBounds.bottom });
      }),
  };
}

/**
 * Returns the columns that fit into the width. The list changes only when a column appears or disappears;
 * `onFit` is called then.
 */
function useFittingColumns<Row>(
  columns: readonly GridColumn<Row>[],
  width: number,
  onFit: GridProps<Row>['onFit'],
): readonly GridColumn<Row>[] {
  const fittingWidth = Math.max(
    0,
    ...columns.flatMap(({ minGridWidth = 0 }) => (minGridWidth <= width ? minGridWidth : [])),
  );
  const fittingColumns = useMemo(
    () => columns.filter(({ minGridWidth = 0 }) => minGridWidth <= fittingWidth),
    [columns, fittingWidth],
  );
  useEffect(() => {
    onFit?.(fittingColumns.map(({ id }) => id));
  }, [fittingColumns, onFit]);
  return fittingColumns;
}

interface VirtualRowOptions {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  /** Number of all rows, loaded or not. */
  readonly total: number;
  readonly rowHeight: number;
  readonly current: number;
  readonly onEnd: (() => void) | undefined;
}

/** Number of rows before the last at which `onEnd` is called. */
const endDistance = 50;

/** Returns the rendered rows and their positions. Calls `onEnd` when the last loaded rows become visible. */
function useVirtualRows({ scroller, count, total, rowHeight, current, onEnd }: VirtualRowOptions) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // A frame renders the rows that a jump shows. More rows would cost time and are seldom seen.
    overscan: 4,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    // The row in the tab order stays rendered, so that scrolling does not lose the focus.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);

  const lastVisibleIndex = virtual.range?.endIndex ?? 0;
  const isAtEnd = count > 0 && count < total && lastVisibleIndex >= count - endDistance;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd, count]);
  return virtual;
}

type VirtualRows = ReturnType<typeof useVirtualRows>;
