import { useMemo, useState } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { useStable } from '../../ui/use-stable.ts';
import { keptWithin, type Bounds } from './edges.ts';

/** Where an edge between two parts stands, as its splitter takes it; it is kept once it rests. */
export function useEdge(name: 'inspectorWidth' | 'readingShare', bounds: Bounds) {
  const [kept, keep] = usePreference(name);
  const [moving, onMove] = useState<number>();
  const value = moving ?? keptWithin(bounds, kept);
  const onRest = useStable((next: number) => {
    onMove(undefined);
    keep(next);
  });
  return useMemo(() => ({ value, bounds, onMove, onRest }), [value, bounds, onMove, onRest]);
}
