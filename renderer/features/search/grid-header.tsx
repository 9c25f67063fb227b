import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { memo, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import type { ResultColumnId } from '../../../core/app/result-columns.ts';
import { text } from '../../ui/text.ts';
import type { ResultColumn } from './result-columns.tsx';
import styles from './search.module.css';
import type { Sorting } from './sorting.ts';

interface GridHeaderProps {
  readonly columns: readonly ResultColumn[];
  readonly sorting: Sorting | undefined;
  readonly onSort: (id: ResultColumnId) => void;
  /** Sets a column's width in CSS pixels; undefined gives it its own again. */
  readonly onResize: (id: ResultColumnId, width: number | undefined) => void;
  /** Leads down into the rows. */
  readonly onLeave: () => void;
}

/** Pixels that a key press makes a column wider or narrower. */
const keyStep = 16;

/** The grid's head: each column a button that sorts; its edge, or Shift with an arrow, changes its width. */
export const GridHeader = memo(function GridHeader({
  columns,
  sorting,
  onSort,
  onResize,
  onLeave,
}: GridHeaderProps) {
  const row = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=columnheader]')];
    const at = cells.findIndex((cell) => cell.contains(document.activeElement));
    const column = columns[at];
    const cell = cells[at];
    if (!column || !cell) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined && event.shiftKey) onResize(column.id, cell.offsetWidth + step * keyStep);
    else if (step !== undefined) cells[at + step]?.querySelector('button')?.focus();
    else if (event.key === 'ArrowDown') onLeave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div role="rowgroup" className={styles.head}>
      <div ref={row} role="row" aria-rowindex={1} className={styles.headRow} onKeyDown={onKeyDown}>
        {columns.map(({ id, label }, index) => {
          const sorted = sorting?.column === id ? (sorting.descending ? 'descending' : 'ascending') : 'none';
          return (
            <div key={id} role="columnheader" className={styles.headCell} aria-sort={sorted}>
              <button
                type="button"
                tabIndex={index === 0 ? 0 : -1}
                title={text.results.headHint}
                aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
                onClick={() => onSort(id)}
              >
                <span>{label}</span>
                {sorted === 'ascending' && <IconArrowUp size={12} aria-hidden />}
                {sorted === 'descending' && <IconArrowDown size={12} aria-hidden />}
              </button>
              <Edge onResize={(width) => onResize(id, width)} />
            </div>
          );
        })}
      </div>
    </div>
  );
});

/** The draggable end of a head cell; for the pointer alone, since keys change the width at the button. */
function Edge({ onResize }: { readonly onResize: (width: number | undefined) => void }) {
  const drag = useRef<{ readonly from: number; readonly width: number }>(undefined);

  function onPointerDown(event: PointerEvent<HTMLSpanElement>) {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? 0 };
  }

  return (
    <span
      className={styles.edge}
      aria-hidden
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => {
        if (drag.current) onResize(drag.current.width + clientX - drag.current.from);
      }}
      onPointerUp={() => {
        drag.current = undefined;
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onDoubleClick={() => onResize(undefined)}
    />
  );
}
