import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { text } from '../text.ts';
import type { GridColumn, Sorting } from './columns.ts';
import styles from './grid.module.css';

export interface GridHeadProps {
  readonly columns: readonly Pick<GridColumn<never>, 'id' | 'label' | 'isEndAligned'>[];
  readonly sorting?: Sorting | undefined;
  /** Undefined if the order is fixed. */
  readonly onSort?: ((id: string) => void) | undefined;
  /** Sets the width of a column in CSS pixels; undefined resets it. Undefined if widths are fixed. */
  readonly onResize?: ((id: string, width: number | undefined) => void) | undefined;
  /** Moves a column to an index. Undefined if the order of columns is fixed. */
  readonly onMove?: ((id: string, place: number) => void) | undefined;
  /** Moves the focus into the rows. */
  readonly onLeave: () => void;
}

/** Pixels by which a key changes the width of a column. */
const keyStep = 16;

/**
 * Header of the grid. A sortable column is a button. Its edge, or Shift with an arrow key, changes the width.
 * It is moved by dragging or by keys.
 */
export const GridHeader = memo(function GridHead(props: GridHeadProps) {
  const { columns, sorting, onSort, onResize, onMove } = props;
  const [dropTargetId, setDropTargetId] = useState<string>();
  const [draggedId, setDraggedId] = useState<string>();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => moveByKey(event, props);
  const getSortDirection = (id: string) =>
    sorting?.column !== id ? 'none' : sorting.descending ? 'descending' : 'ascending';
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headRow} onKeyDown={onKeyDown}>
        {columns.map(({ id, label, isEndAligned }, index) => (
          <div
            key={id}
            role="columnheader"
            className={styles.headCell}
            data-end={isEndAligned}
            data-over={(dropTargetId === id && draggedId !== id) || undefined}
            onDragOver={(event) => {
              if (draggedId === undefined) return;
              event.preventDefault();
              setDropTargetId(id);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (draggedId !== undefined) onMove?.(draggedId, index);
            }}
            aria-sort={onSort && getSortDirection(id)}
          >
            {onSort ? (
              <button
                type="button"
                tabIndex={index === 0 ? 0 : -1}
                title={text.results.headHint}
                aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Control+Shift+ArrowLeft Control+Shift+ArrowRight"
                onClick={() => onSort(id)}
                draggable={onMove !== undefined}
                onDragStart={({ dataTransfer }) => {
                  dataTransfer.setData('text/plain', label);
                  setDraggedId(id);
                }}
                onDragEnd={() => {
                  setDraggedId(undefined);
                  setDropTargetId(undefined);
                }}
              >
                <span>{label}</span>
                {getSortDirection(id) === 'ascending' && <IconArrowUp size={12} aria-hidden />}
                {getSortDirection(id) === 'descending' && <IconArrowDown size={12} aria-hidden />}
              </button>
            ) : (
              label
            )}
            {onResize && <ResizeHandle onResize={(width) => onResize(id, width)} />}
          </div>
        ))}
      </div>
    </div>
  );
});

/** Arrow keys move between columns, change a width or move a column. Down moves into the rows. */
function moveByKey(
  event: KeyboardEvent<HTMLDivElement>,
  { columns, onResize, onMove, onLeave }: GridHeadProps,
): void {
  const isMove = event.ctrlKey && event.shiftKey;
  if ((event.ctrlKey && !isMove) || event.metaKey || event.altKey) return;
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=columnheader]')];
  const index = cells.findIndex((cell) => cell.contains(document.activeElement));
  const column = columns[index];
  const cell = cells[index];
  if (!column || !cell) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined && isMove) onMove?.(column.id, Math.max(0, index + step));
  else if (step !== undefined && event.shiftKey) onResize?.(column.id, cell.offsetWidth + step * keyStep);
  else if (step !== undefined) cells[index + step]?.querySelector('button')?.focus();
  else if (event.key === 'ArrowDown') onLeave();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Draggable end of a header cell, only for the pointer. Keys change the width at the button. */
function ResizeHandle({ onResize }: { readonly onResize: (width: number | undefined) => void }) {
  const drag = useRef<{ readonly from: number; readonly width: number }>(undefined);

  function onPointerDown(event: PointerEvent<HTMLSpanElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
  }

  function endDrag() {
    drag.current = undefined;
  }

  return (
    <span
      className={styles.edge}
      aria-hidden
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => {
        if (drag.current) onResize(drag.current.width + clientX - drag.current.from);
      }}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onDoubleClick={() => onResize(undefined)}
    />
  );
}
