import type { ComponentProps } from 'react';
import type { Splitter } from '../../ui/splitter.tsx';

export type Bounds = ComponentProps<typeof Splitter>['bounds'];

/** Of the inspector's width, in CSS pixels. */
export const inspectorWidth: Bounds = { least: 240, usual: 320, most: 720 };

/** Of the reading view's part beside the JSON, in per cent. */
export const readingShare: Bounds = { least: 25, usual: 50, most: 75 };

/** A whole number within bounds from what was kept; the usual one where none was. */
export function keptWithin({ least, usual, most }: Bounds, kept: unknown): number {
  return typeof kept === 'number' ? Math.round(Math.min(most, Math.max(least, kept))) : usual;
}
