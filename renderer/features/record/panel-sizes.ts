import type { ComponentProps } from 'react';
import type { Splitter } from '../../ui/splitter.tsx';

export type Bounds = ComponentProps<typeof Splitter>['bounds'];

/** Width of the inspector in CSS pixels. */
export const inspectorWidth: Bounds = { least: 240, usual: 320, most: 720 };

/** Share of the reading view next to the JSON, in percent. */
export const readingShare: Bounds = { least: 25, usual: 50, most: 75 };

/** Returns a stored size within bounds; the default if none is stored. */
export function clampSize({ least: min, usual: fallback, most: max }: Bounds, storedSize: unknown): number {
  return typeof storedSize === 'number' ? Math.round(Math.min(max, Math.max(min, storedSize))) : fallback;
}
