import type { RefObject } from 'react';
import type { ColumnWidths, GridColumn } from './columns.ts';
import type { GridHeadProps } from './grid-head.tsx';
import type { Selection } from './use-selection.ts';

/** Rows by their place, such as an array. */
interface Rows<Row> {
  readonly length: number;
  at(index: number): Row | undefined;
}

export interface GridProps<Row> extends Pick<GridHeadProps, 'sorting' | 'onSort' | 'onResize' | 'onMove'> {
  readonly label: string;
  /** A row whose object is the same is drawn anew only when this list is another. */
  readonly columns: readonly GridColumn<Row>[];
  /** Of the columns that were given one. */
  readonly widths?: ColumnWidths;
  readonly rows: Rows<Row>;
  /** All rows there are, also those that are not loaded; absent where nobody knows. */
  readonly total?: number | undefined;
  readonly rowHeight: number;
  /** Index of the row in the tab order. */
  readonly current: number;
  readonly keyOf: (row: Row, index: number) => string;
  /** Told the ids of the columns that there is room for; stable. */
  readonly onFit?: (ids: readonly string[]) => void;
  readonly onCurrent: (index: number) => void;
  /** Enter, a double click, or a click where there are details. */
  readonly onOpen?: (row: Row) => void;
  /** Enter, where it does more than to open its row. */
  readonly onEnter?: () => void;
  readonly onCopy?: () => void;
  /** The menu of the current row is asked for, at a place in CSS pixels of the window. */
  readonly onMenu?: (place: { readonly x: number; readonly y: number }) => void;
  /** The last loaded rows came into view. */
  readonly onEnd?: () => void;
  /** Where the details of a row stand beside the grid: a click opens a row, Escape closes the details. */
  readonly details?: { readonly shown: string | undefined; readonly onHide: () => void };
  /** Where any number of rows can be chosen. */
  readonly selection?: Selection<Row>;
  readonly busy?: boolean;
  /** The element that scrolls, for who draws the grid. */
  readonly scroller?: RefObject<HTMLDivElement | null>;
}
