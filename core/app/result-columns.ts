/** The columns that the grid of results can show, in their order, and how the preference keeps the chosen ones. */
export const resultColumnIds = [
  'status',
  'title',
  'subject',
  'encounter',
  'date',
  'version',
  'lastUpdated',
  'quality',
  'id',
] as const;
export type ResultColumnId = (typeof resultColumnIds)[number];

export interface ResultColumnLayout {
  readonly shown: readonly ResultColumnId[];
  /** Widths in CSS pixels of the columns that were given one. */
  readonly widths: Readonly<Partial<Record<ResultColumnId, number>>>;
}

const columnWidths = { least: 56, most: 1200 } as const;

export const usualColumns: ResultColumnLayout = { shown: resultColumnIds, widths: {} };

function isColumnId(value: unknown): value is ResultColumnId {
  return resultColumnIds.some((one) => one === value);
}

export function isResultColumnLayout(value: unknown): value is ResultColumnLayout {
  if (typeof value !== 'object' || value === null || !('shown' in value) || !('widths' in value))
    return false;
  const { shown, widths } = value;
  return (
    Array.isArray(shown) &&
    shown.length > 0 &&
    shown.every(isColumnId) &&
    typeof widths === 'object' &&
    widths !== null &&
    Object.entries(widths).every(([id, width]) => isColumnId(id) && isWidth(width))
  );
}

function isWidth(value: unknown): boolean {
  return typeof value === 'number' && value >= columnWidths.least && value <= columnWidths.most;
}

/** A layout with a column shown or hidden; the last one stays. */
export function withColumn(
  layout: ResultColumnLayout,
  id: ResultColumnId,
  shown: boolean,
): ResultColumnLayout {
  const chosen = resultColumnIds.filter((one) => (one === id ? shown : layout.shown.includes(one)));
  return chosen.length === 0 ? layout : { ...layout, shown: chosen };
}

/** A layout with a column's width, kept within bounds; undefined gives the column its own width again. */
export function withWidth(
  layout: ResultColumnLayout,
  id: ResultColumnId,
  width: number | undefined,
): ResultColumnLayout {
  const others = Object.entries(layout.widths).filter(([one]) => one !== id);
  if (width === undefined) return { ...layout, widths: Object.fromEntries(others) };
  const bounded = Math.round(Math.min(columnWidths.most, Math.max(columnWidths.least, width)));
  return { ...layout, widths: { ...Object.fromEntries(others), [id]: bounded } };
}
