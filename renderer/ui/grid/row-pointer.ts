import type { FocusEvent, MouseEvent } from 'react';
import type { GridColumn } from './columns.ts';
import type { GridProps } from './grid-props.ts';

/** The row of a grid that is in the tab order. */
export function currentRow(within: HTMLElement | null): HTMLElement | null | undefined {
  return within?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
}

/** What the pointer does to the rows: one handler for all, so that a row need not be drawn anew for its own. */
export function rowPointer<Row>(props: GridProps<Row>, columns: readonly GridColumn<Row>[]) {
  const { rows, details, selection, onCurrent, onOpen, onMenu } = props;

  function choose(event: MouseEvent, index: number) {
    if (event.shiftKey) selection?.extend(index);
    else if (event.ctrlKey || event.metaKey) selection?.toggle(index);
    else {
      selection?.clear();
      onCurrent(index);
    }
  }

  return {
    // Where rows are chosen, a click with Shift begins its range at the row before it.
    onFocus({ target }: FocusEvent) {
      const index = indexOf(target);
      if (index !== undefined && !selection) onCurrent(index);
    },
    onClick(event: MouseEvent) {
      const index = indexOf(event.target);
      const row = index === undefined ? undefined : rows.at(index);
      if (index === undefined || row === undefined) return;
      if (selection) choose(event, index);
      if (details) onOpen?.(row);
    },
    onDoubleClick({ target }: MouseEvent) {
      const row = rows.at(indexOf(target) ?? rows.length);
      if (row !== undefined && !details) onOpen?.(row);
    },
    onContextMenu(event: MouseEvent) {
      const index = indexOf(event.target);
      if (index === undefined || !onMenu) return;
      event.preventDefault();
      onCurrent(index);
      onMenu({ x: event.clientX, y: event.clientY });
    },
    /** Gives a cell its tooltip when the pointer comes to it: to format them all would cost every frame of a scroll. */
    onMouseOver({ target }: MouseEvent) {
      const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
      const row = rows.at(indexOf(target) ?? rows.length);
      if (!cell?.parentElement || row === undefined) return;
      const column = columns[[...cell.parentElement.children].indexOf(cell)];
      cell.title = column?.hint?.(row) ?? '';
    },
  };
}

/** The index of the row that something in a grid belongs to. */
function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset.index) : undefined;
}
