import { useMemo, useState } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { useStable } from '../../ui/use-stable.ts';
import { clampSize, type Bounds } from './panel-sizes.ts';

/** Returns the size of a panel for its splitter. The size is stored when the drag ends. */
export function usePanelSize(name: 'inspectorWidth' | 'readingShare', bounds: Bounds) {
  const [storedSize, storeSize] = usePreference(name);
  const [draggedSize, setDraggedSize] = useState<number>();
  const value = draggedSize ?? clampSize(bounds, storedSize);
  const storeFinalSize = useStable((next: number) => {
    setDraggedSize(undefined);
    storeSize(next);
  });
  return useMemo(
    () => ({ value, bounds, onMove: setDraggedSize, onRest: storeFinalSize }),
    [value, bounds, setDraggedSize, storeFinalSize],
  );
}
