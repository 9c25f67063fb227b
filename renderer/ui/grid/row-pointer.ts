import type { FocusEvent, MouseEvent } from 'react';
import type { GridColumn } from './columns.ts';
import type { GridProps } from './grid-props.ts';

/** Returns the row of a grid that is in the tab order. */
export function currentRow(container: HTMLElement | null): HTMLElement | null | undefined {
  return container?.querySelector<HTMLElement>('[role=row][tabindex="0"]');
}

/**
 * Returns the pointer handlers of the rows: one for all rows, so that rows don't need handlers of their own.
 */
export function rowPointer<Row>(props: GridProps<Row>, columns: readonly GridColumn<Row>[]) {
  const { rows, details, selection, onCurrent, onOpen, onMenu } = props;

  function selectRow(event: MouseEvent, index: number) {
    if (event.shiftKey) selection?.extend(index);
    else if (event.ctrlKey || event.metaKey) selection?.toggle(index);
    else {
      selection?.clear();
      onCurrent(index);
    }
  }

  return {
    // If rows can be selected, Shift+click starts its range at the previous row, so the focus must not move
    // it.
    onFocus({ target }: FocusEvent) {
      const index = indexOf(target);
      if (index !== undefined && !selection) onCurrent(index);
    },
    onClick(event: MouseEvent) {
      const index = indexOf(event.target);
      const row = index === undefined ? undefined : rows.at(index);
      if (index === undefined || row === undefined) return;
      if (selection) selectRow(event, index);
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
    /** Sets the tooltip of a cell on hover. Formatting all tooltips would slow down scrolling. */
    onMouseOver({ target }: MouseEvent) {
      const cell = target instanceof Element ? target.closest<HTMLElement>('[role=gridcell]') : null;
      const row = rows.at(indexOf(target) ?? rows.length);
      if (!cell?.parentElement || row === undefined) return;
      const column = columns[[...cell.parentElement.children].indexOf(cell)];
      cell.title = column?.hint?.(row) ?? '';
    },
  };
}

function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset.index) : undefined;
}
