import type { ComponentProps } from 'react';
import type { Splitter } from '../../ui/splitter.tsx';

export type Bounds = ComponentProps<typeof Splitter>['bounds'];

/** Width of the inspector in CSS pixels. */
export const inspectorWidth: Bounds = { min: 240, defaultValue: 320, max: 720 };

/** Share of the reading view next to the JSON, in percent. */
export const readingShare: Bounds = { min: 25, defaultValue: 50, max: 75 };

/** Returns a stored size within bounds; the default if none is stored. */
export function clampSize({ min, defaultValue: fallback, max }: Bounds, storedSize: unknown): number {
  return typeof storedSize === 'number' ? Math.round(Math.min(max, Math.max(min, storedSize))) : fallback;
}
