/**
 * renderer/ui/grid is the one table of the page: virtual rows, driven by keys. What it shows is data: columns, and rows
 * by their place. Layouts, that is which columns are shown, in which order and how wide, are kept by whoever shows it.
 */
import type { ReactNode } from 'react';
import * as v from 'valibot';

export interface GridColumn<Row> {
  readonly id: string;
  readonly label: string;
  /** Least width in CSS pixels. */
  readonly width: number;
  /** Share of the room that is left over; without one the width is fixed. */
  readonly share?: number;
  /** Least width of the grid in CSS pixels at which the column is shown; it is always shown where absent. */
  readonly from?: number;
  /** Not shown until it is chosen. */
  readonly hiddenAtFirst?: true;
  readonly mono?: true;
  /** Aligned at the column's end, as numbers are. */
  readonly end?: true;
  readonly cell: (row: Row, now: number) => ReactNode;
  /** What the cell's tooltip says. */
  readonly hint?: (row: Row) => string;
}

/** The column that orders the rows, and which way. */
export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** Widths in CSS pixels of the columns that were given one, by id. */
export type ColumnWidths = Readonly<Record<string, number>>;

export interface ColumnLayout {
  /** Ids of the columns that are shown, in their order. */
  readonly shown: readonly string[];
  readonly widths: ColumnWidths;
}

type Identified = Pick<GridColumn<never>, 'id' | 'hiddenAtFirst'>;

const [leastWidth, mostWidth] = [56, 1200];

const nothingKept = { shown: [], widths: {} };
const keptLayout = v.fallback(
  v.object({
    shown: v.fallback(v.array(v.unknown()), nothingKept.shown),
    widths: v.fallback(v.record(v.string(), v.unknown()), nothingKept.widths),
  }),
  nothingKept,
);
const keptWidth = v.pipe(v.number(), v.minValue(leastWidth), v.maxValue(mostWidth));

/** The layout that holds until the user chooses another. */
export function usualLayout(columns: readonly Identified[]): ColumnLayout {
  return { shown: columns.filter(({ hiddenAtFirst }) => !hiddenAtFirst).map(({ id }) => id), widths: {} };
}

/** The layout in what was kept; of an unknown column, or a width out of bounds, that entry alone is lost. */
export function readLayout(columns: readonly Identified[], kept: unknown): ColumnLayout {
  const { shown, widths } = v.parse(keptLayout, kept);
  const ids = columns.map(({ id }) => id);
  const known = new Set(shown.flatMap((one) => ids.find((id) => id === one) ?? []));
  return {
    shown: known.size === 0 ? usualLayout(columns).shown : [...known],
    widths: Object.fromEntries(
      ids.flatMap((id) => {
        const width = v.safeParse(keptWidth, widths[id]);
        return width.success ? [[id, width.output]] : [];
      }),
    ),
  };
}

/** The columns of these ids, in their order. */
export function shownColumns<Column extends Identified>(
  columns: readonly Column[],
  shown: readonly string[],
): readonly Column[] {
  return shown.flatMap((id) => columns.find((column) => column.id === id) ?? []);
}

/** A layout with a column shown, before those that it is defined before, or hidden; the last one stays. */
export function withColumn(
  columns: readonly Identified[],
  layout: ColumnLayout,
  id: string,
  show: boolean,
): ColumnLayout {
  const shown = layout.shown.filter((one) => one !== id);
  if (!show) return shown.length === 0 ? layout : { ...layout, shown };
  const ids = columns.map((column) => column.id);
  const behind = ids.slice(ids.indexOf(id) + 1);
  const at = shown.findIndex((one) => behind.includes(one));
  return { ...layout, shown: shown.toSpliced(at === -1 ? shown.length : at, 0, id) };
}

/** A layout with a column at another place among those that are shown. */
export function withPlace(layout: ColumnLayout, id: string, place: number): ColumnLayout {
  const others = layout.shown.filter((one) => one !== id);
  if (others.length === layout.shown.length) return layout;
  return { ...layout, shown: others.toSpliced(Math.max(0, place), 0, id) };
}

/** A layout with a column's width, kept within bounds; undefined gives the column its own width again. */
export function withWidth(layout: ColumnLayout, id: string, width: number | undefined): ColumnLayout {
  const others = Object.entries(layout.widths).filter(([one]) => one !== id);
  if (width === undefined) return { ...layout, widths: Object.fromEntries(others) };
  const bounded = Math.round(Math.min(mostWidth, Math.max(leastWidth, width)));
  return { ...layout, widths: { ...Object.fromEntries(others), [id]: bounded } };
}

/**
 * The tracks of every row, and its least width in CSS pixels; a column that was given a width takes no share of the room.
 */
export function tracksOf(
  columns: readonly Pick<GridColumn<never>, 'id' | 'width' | 'share'>[],
  widths: ColumnWidths = {},
): { readonly template: string; readonly width: number } {
  const sized = columns.map(({ id, width, share = 0 }) => {
    const given = widths[id];
    return given === undefined ? { width, share } : { width: given, share: 0 };
  });
  const tracks = sized.map(({ width, share }) =>
    share === 0 ? `${width}px` : `minmax(${width}px, ${share}fr)`,
  );
  // Where nothing takes the room that is left, the last column's end is free.
  if (sized.every(({ share }) => share === 0)) tracks.push('minmax(0, 1fr)');
  return { template: tracks.join(' '), width: sized.reduce((sum, { width }) => sum + width, 0) };
}
