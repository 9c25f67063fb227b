/**
 * The table of the page: virtual rows with keyboard control. Its columns and rows are data. The caller stores
 * the layouts: the visible columns, their order and widths.
 */
import type { ReactNode } from 'react';
import * as v from 'valibot';

export interface GridColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Minimum width in CSS pixels. */
  readonly width: number;
  /** Share of the remaining room; without it, the width is fixed. */
  readonly flexShare?: number;
  /** Minimum width of the grid in CSS pixels at which the column is shown; undefined shows it always. */
  readonly minGridWidth?: number;
  /** Hidden until the user selects it. */
  readonly isHiddenByDefault?: true;
  readonly isMonospaced?: true;
  /** Aligned at the end, for numbers. */
  readonly isEndAligned?: true;
  readonly cell: (row: Row, now: number) => ReactNode;
  /** Tooltip of the cell. */
  readonly hint?: (row: Row) => string;
}

/** Column and direction of the order. */
export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** Widths in CSS pixels of the resized columns, by id. */
export type ColumnWidths = Readonly<Record<string, number>>;

export interface ColumnLayout {
  /** Ids of the visible columns, in order. */
  readonly shown: readonly string[];
  readonly widths: ColumnWidths;
}

type Identified = Pick<GridColumn<never>, 'id' | 'isHiddenByDefault'>;

const [minWidth, maxWidth] = [56, 1200];

const emptyLayout = { shown: [], widths: {} };
const storedLayoutSchema = v.fallback(
  v.object({
    shown: v.fallback(v.array(v.unknown()), emptyLayout.shown),
    widths: v.fallback(v.record(v.string(), v.unknown()), emptyLayout.widths),
  }),
  emptyLayout,
);
const storedWidthSchema = v.pipe(v.number(), v.minValue(minWidth), v.maxValue(maxWidth));

/** Returns the layout that applies until the user changes it. */
export function getDefaultLayout(columns: readonly Identified[]): ColumnLayout {
  return {
    shown: columns.filter(({ isHiddenByDefault }) => !isHiddenByDefault).map(({ id }) => id),
    widths: {},
  };
}

/** Reads a stored layout. Unknown columns and invalid widths are dropped. */
export function readLayout(columns: readonly Identified[], storedLayout: unknown): ColumnLayout {
  const { shown: shownIds, widths } = v.parse(storedLayoutSchema, storedLayout);
  const ids = columns.map(({ id }) => id);
  const knownIds = new Set(shownIds.flatMap((storedId) => ids.find((id) => id === storedId) ?? []));
  return {
    shown: knownIds.size === 0 ? getDefaultLayout(columns).shown : [...knownIds],
    widths: Object.fromEntries(
      ids.flatMap((id) => {
        const width = v.safeParse(storedWidthSchema, widths[id]);
        return width.success ? [[id, width.output]] : [];
      }),
    ),
  };
}

/** Returns the columns with these ids, in order. */
export function listVisibleColumns<Column extends Identified>(
  columns: readonly Column[],
  shownIds: readonly string[],
): readonly Column[] {
  return shownIds.flatMap((id) => columns.find((column) => column.id === id) ?? []);
}

/** Shows a column before the columns that follow it by default, or hides it. The last column stays. */
export function withColumn(
  columns: readonly Identified[],
  layout: ColumnLayout,
  id: string,
  isShown: boolean,
): ColumnLayout {
  const shownIds = layout.shown.filter((shownId) => shownId !== id);
  if (!isShown) return shownIds.length === 0 ? layout : { ...layout, shown: shownIds };
  const ids = columns.map((column) => column.id);
  const laterIds = ids.slice(ids.indexOf(id) + 1);
  const index = shownIds.findIndex((shownId) => laterIds.includes(shownId));
  return { ...layout, shown: shownIds.toSpliced(index === -1 ? shownIds.length : index, 0, id) };
}

/** Moves a visible column to an index. */
export function withPlace(layout: ColumnLayout, id: string, index: number): ColumnLayout {
  const remainingIds = layout.shown.filter((shownId) => shownId !== id);
  if (remainingIds.length === layout.shown.length) return layout;
  return { ...layout, shown: remainingIds.toSpliced(Math.max(0, index), 0, id) };
}

/** Sets the width of a column within bounds; undefined resets it. */
export function withWidth(layout: ColumnLayout, id: string, width: number | undefined): ColumnLayout {
  const remainingWidths = Object.entries(layout.widths).filter(([columnId]) => columnId !== id);
  if (width === undefined) return { ...layout, widths: Object.fromEntries(remainingWidths) };
  const clampedWidth = Math.round(Math.min(maxWidth, Math.max(minWidth, width)));
  return { ...layout, widths: { ...Object.fromEntries(remainingWidths), [id]: clampedWidth } };
}

/**
 * Returns the tracks of the rows and their minimum width in CSS pixels. A resized column takes no share of
 * the remaining room.
 */
export function tracksOf(
  columns: readonly Pick<GridColumn<never>, 'id' | 'width' | 'flexShare'>[],
  widths: ColumnWidths = {},
): { readonly template: string; readonly width: number } {
  const sizes = columns.map(({ id, width, flexShare = 0 }) => {
    const storedWidth = widths[id];
    return storedWidth === undefined ? { width, flexShare } : { width: storedWidth, flexShare: 0 };
  });
  const tracks = sizes.map(({ width, flexShare }) =>
    flexShare === 0 ? `${width}px` : `minmax(${width}px, ${flexShare}fr)`,
  );
  // If no column takes the remaining room, the end of the row stays free.
  if (sizes.every(({ flexShare }) => flexShare === 0)) tracks.push('minmax(0, 1fr)');
  return { template: tracks.join(' '), width: sizes.reduce((sum, { width }) => sum + width, 0) };
}
