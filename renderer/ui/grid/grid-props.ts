import type { RefObject } from 'react';
import type { ColumnWidths, GridColumn } from './columns.ts';
import type { GridHeadProps } from './grid-head.tsx';
import type { Selection } from './use-selection.ts';

/** Rows by index, for example an array. */
interface Rows<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}

export interface GridProps<Row> extends Pick<GridHeadProps, 'sorting' | 'onSort' | 'onResize' | 'onMove'> {
  readonly label: string;
  /** Rows with the same object render again only if this list changes. */
  readonly columns: readonly GridColumn<Row>[];
  /** Widths of the resized columns. */
  readonly widths?: ColumnWidths;
  readonly rows: Rows<Row>;
  /** Number of all rows, loaded or not; undefined if unknown. */
  readonly total?: number | undefined;
  readonly rowHeight: number;
  /** Index of the row in the tab order. */
  readonly current: number;
  readonly keyOf: (row: Row, index: number) => string;
  /** Receives the ids of the columns that fit. Must be stable. */
  readonly onFit?: (ids: readonly string[]) => void;
  readonly onCurrent: (index: number) => void;
  /** Called on Enter, on a double click, or on a click if there are details. */
  readonly onOpen?: (row: Row) => void;
  /** Called on Enter instead of opening the row. */
  readonly onEnter?: () => void;
  readonly onCopy?: () => void;
  /** Called to open the menu of the current row, at a position in CSS pixels of the window. */
  readonly onMenu?: (place: { readonly x: number; readonly y: number }) => void;
  /** Called when the last loaded rows become visible. */
  readonly onEnd?: () => void;
  /** Details of a row next to the grid: a click opens a row, Escape closes the details. */
  readonly details?: { readonly shownKey: string | undefined; readonly onHide: () => void };
  /** Present if several rows can be selected. */
  readonly selection?: Selection<Row>;
  readonly busy?: boolean;
  /** The scrolling element, for the owner of the grid. */
  readonly scroller?: RefObject<HTMLDivElement | null>;
}
