import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { text } from '../text.ts';
import type { GridColumn, Sorting } from './columns.ts';
import styles from './grid.module.css';

export interface GridHeadProps {
  readonly columns: readonly Pick<GridColumn<never>, 'id' | 'label' | 'end'>[];
  readonly sorting?: Sorting | undefined;
  /** Absent where the rows have an order of their own. */
  readonly onSort?: ((id: string) => void) | undefined;
  /** Sets a column's width in CSS pixels; undefined gives it its own again. Absent where widths are fixed. */
  readonly onResize?: ((id: string, width: number | undefined) => void) | undefined;
  /** Puts a column at another place. Absent where the order is fixed. */
  readonly onMove?: ((id: string, place: number) => void) | undefined;
  /** Leads down into the rows. */
  readonly onLeave: () => void;
}

/** Pixels that a key press makes a column wider or narrower. */
const keyStep = 16;

/** The grid's head. A column that sorts is a button; its edge, or Shift with an arrow, changes its width; it is dragged, or moved by keys. */
export const GridHead = memo(function GridHead(props: GridHeadProps) {
  const { columns, sorting, onSort, onResize, onMove } = props;
  const [over, setOver] = useState<string>();
  const [dragged, setDragged] = useState<string>();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => moveByKey(event, props);
  const sortOf = (id: string) =>
    sorting?.column !== id ? 'none' : sorting.descending ? 'descending' : 'ascending';
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headRow} onKeyDown={onKeyDown}>
        {columns.map(({ id, label, end }, index) => (
          <div
            key={id}
            role="columnheader"
            className={styles.headCell}
            data-end={end}
            data-over={(over === id && dragged !== id) || undefined}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(id);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined) onMove?.(dragged, index);
            }}
            aria-sort={onSort && sortOf(id)}
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
                  setDragged(id);
                }}
                onDragEnd={() => {
                  setDragged(undefined);
                  setOver(undefined);
                }}
              >
                <span>{label}</span>
                {sortOf(id) === 'ascending' && <IconArrowUp size={12} aria-hidden />}
                {sortOf(id) === 'descending' && <IconArrowDown size={12} aria-hidden />}
              </button>
            ) : (
              label
            )}
            {onResize && <Edge onResize={(width) => onResize(id, width)} />}
          </div>
        ))}
      </div>
    </div>
  );
});

/** Arrows lead from column to column, change a width or move a column; down leads into the rows. */
function moveByKey(
  event: KeyboardEvent<HTMLDivElement>,
  { columns, onResize, onMove, onLeave }: GridHeadProps,
): void {
  const moves = event.ctrlKey && event.shiftKey;
  if ((event.ctrlKey && !moves) || event.metaKey || event.altKey) return;
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=columnheader]')];
  const at = cells.findIndex((cell) => cell.contains(document.activeElement));
  const column = columns[at];
  const cell = cells[at];
  if (!column || !cell) return;
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined && moves) onMove?.(column.id, Math.max(0, at + step));
  else if (step !== undefined && event.shiftKey) onResize?.(column.id, cell.offsetWidth + step * keyStep);
  else if (step !== undefined) cells[at + step]?.querySelector('button')?.focus();
  else if (event.key === 'ArrowDown') onLeave();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The draggable end of a head cell; for the pointer alone, since keys change the width at the button. */
function Edge({ onResize }: { readonly onResize: (width: number | undefined) => void }) {
  const drag = useRef<{ readonly from: number; readonly width: number }>(undefined);

  function onPointerDown(event: PointerEvent<HTMLSpanElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
  }

  function drop() {
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
      onPointerUp={drop}
      onPointerCancel={drop}
      onDoubleClick={() => onResize(undefined)}
    />
  );
}
