import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
} from 'react';
import { useRowHeight } from '../../platform/preferences.ts';
import { usePresent } from '../../ui/present.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { ResultColumnId } from '../../../core/app/result-columns.ts';
import { gridKeyHandler } from './grid-keyboard.ts';
import { GridHeader } from './grid-header.tsx';
import { GridRow } from './grid-row.tsx';
import { resultColumns, tracksOf, type ResultColumn } from './result-columns.tsx';
import { rowKey, type ResultRow } from './result-rows.ts';
import { RowMenu, type MenuPlace } from './row-menu.tsx';
import styles from './search.module.css';
import type { Sorting } from './sorting.ts';
import type { Columns } from './use-columns.ts';
import type { GridSelection } from './use-grid-selection.ts';
import { useRowActions } from './use-row-actions.ts';

interface ResultGridProps {
  /** In the order that they are shown in. */
  readonly rows: readonly ResultRow[];
  readonly total: number;
  readonly busy: boolean;
  readonly columns: Columns;
  readonly sorting: Sorting | undefined;
  readonly onSort: (id: ResultColumnId) => void;
  readonly selection: GridSelection;
}

/** The matches: virtualised, sorted by any column, driven by keys; one row is in the tab order. */
export function ResultGrid(props: ResultGridProps) {
  const { rows, total, busy, columns, sorting, onSort, selection } = props;
  const { current, chosen } = selection;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const now = usePresent();
  const announce = useAnnounce();
  const actions = useRowActions();
  const [menu, setMenu] = useState<MenuPlace>();

  const hasPeriods = useMemo(() => rows.some(({ end }) => end !== ''), [rows]);
  const { layout, resize } = columns;
  const tracks = useMemo(
    () => tracksOf(columns.shown, layout, hasPeriods),
    [columns.shown, layout, hasPeriods],
  );
  const style: CSSProperties & Record<'--tracks' | '--tracks-width', string> = {
    '--tracks': tracks.template,
    '--tracks-width': `${tracks.width}px`,
  };

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // A frame draws what a jump brings into view: rows beyond it are paid for and seldom seen.
    overscan: 4,
    scrollPaddingStart: rowHeight,
    paddingEnd: 8,
    // The row in the tab order stays drawn, so that scrolling it away does not drop the focus.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].sort((a, b) => a - b),
  });
  useEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight]);

  const moved = useRef(false);
  const focusCurrent = useCallback(() => {
    scroller.current?.querySelector<HTMLElement>('[data-current]')?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    focusCurrent();
  }, [current, focusCurrent]);

  const onResize = useCallback(
    (id: ResultColumnId, width: number | undefined) => {
      const pixels = resize(id, width);
      const column = resultColumns.find((one) => one.id === id);
      if (column && pixels !== undefined) announce(text.results.width(column.label, pixels));
    },
    [resize, announce],
  );

  const onKeyDown = gridKeyHandler({
    count: rows.length,
    current,
    page: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2),
    goTo(index, extending) {
      moved.current = index !== current;
      if (extending) selection.extend(index);
      else selection.move(index);
      virtual.scrollToIndex(index);
    },
    open: () => actions.open(selection.rowsAt(current)),
    copy: () => actions.copyIds(selection.rowsAt(current)),
    toggle: () => selection.toggle(current),
    all: selection.all,
    clear: selection.clear,
    menu() {
      const row = scroller.current?.querySelector('[data-current]')?.getBoundingClientRect();
      if (row) setMenu({ x: row.left + 24, y: row.bottom });
    },
  });

  function onClick(event: MouseEvent) {
    const index = indexOf(event.target);
    if (index === undefined) return;
    if (event.shiftKey) selection.extend(index);
    else if (event.ctrlKey || event.metaKey) selection.toggle(index);
    else {
      selection.clear();
      selection.move(index);
    }
  }

  function onContextMenu(event: MouseEvent) {
    const index = indexOf(event.target);
    if (index === undefined) return;
    event.preventDefault();
    selection.move(index);
    setMenu({ x: event.clientX, y: event.clientY });
  }

  return (
    <>
      <div
        ref={scroller}
        className={styles.grid}
        role="grid"
        aria-label={text.results.name}
        aria-rowcount={total + 1}
        aria-colcount={columns.shown.length}
        aria-multiselectable
        aria-busy={busy}
        onKeyDown={onKeyDown}
        style={style}
      >
        <GridHeader
          columns={columns.shown}
          sorting={sorting}
          onSort={onSort}
          onResize={onResize}
          onLeave={focusCurrent}
        />
        <div
          role="rowgroup"
          className={styles.rows}
          style={{ height: virtual.getTotalSize() }}
          onClick={onClick}
          onContextMenu={onContextMenu}
          onMouseOver={({ target }) => explain(target, rows, columns.shown)}
          onDoubleClick={({ target }) => {
            const row = rows[indexOf(target) ?? -1];
            if (row) actions.open([row]);
          }}
        >
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const key = rowKey(row);
            return (
              <GridRow
                key={key}
                row={row}
                index={index}
                start={start}
                columns={columns.shown}
                current={index === current}
                chosen={chosen.has(key)}
                now={now}
              />
            );
          })}
        </div>
      </div>
      <RowMenu
        place={menu}
        rows={menu ? selection.rowsAt(current) : []}
        actions={actions}
        onClose={() => {
          setMenu(undefined);
          focusCurrent();
        }}
      />
    </>
  );
}

/** The row of the grid that something in it belongs to. */
function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset.index) : undefined;
}

/** Gives a cell its tooltip when the pointer comes to it: to format them all would cost every frame of a scroll. */
function explain(target: EventTarget, rows: readonly ResultRow[], columns: readonly ResultColumn[]): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
  const row = rows[indexOf(target) ?? -1];
  if (!cell?.parentElement || !row) return;
  const column = columns[[...cell.parentElement.children].indexOf(cell)];
  cell.title = column?.hint?.(row) ?? '';
}
