/** The least, usual and greatest width of the inspector, in CSS pixels. */
export const inspectorWidth = { least: 240, usual: 320, most: 720 } as const;

/** A width in whole pixels that the inspector can have. */
function withinBounds(width: number): number {
  return Math.round(Math.min(inspectorWidth.most, Math.max(inspectorWidth.least, width)));
}

/** The width in what was kept, within bounds; the usual one where none was. */
export function readWidth(kept: unknown): number {
  return typeof kept === 'number' ? withinBounds(kept) : inspectorWidth.usual;
}
