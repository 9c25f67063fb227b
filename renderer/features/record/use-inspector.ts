import { useMemo, useState } from 'react';
import type { InspectorTab } from '../../../core/app/inspector-tabs.ts';
import { usePreference } from '../../platform/preferences.ts';
import { inspectorWidth, keptWithin } from './edges.ts';
import type { InspectorPlace } from './use-record-view.ts';

/**
 * How the inspector stands beside the editor; kept in the workspace database, one for all tabs. Over the JSON it comes
 * when it is called, and goes with what it lies over.
 */
export function useInspector(place: InspectorPlace, modelPath: string) {
  const [wanted, setShown] = usePreference('inspector');
  const [tab, setTab] = usePreference('inspectorTab');
  const [kept, setWidth] = usePreference('inspectorWidth');
  const [unfolded, setUnfolded] = usePreference('inspectorUnfolded');
  const width = keptWithin(inspectorWidth, kept);
  const [called, setCalled] = useState<string>();
  const over = place === 'over';
  const folded = place === 'below' && !unfolded;
  const shown = over ? called === modelPath : wanted;
  const [moving, setMoving] = useState<number>();
  return useMemo(
    () => ({
      shown,
      place,
      /** Below the reading view its tabs alone may be shown. */
      folded,
      tab,
      width: moving ?? width,
      toggle: () => (over ? setCalled(shown ? undefined : modelPath) : setShown(!shown)),
      fold: () => setUnfolded(false),
      setTab: (next: InspectorTab) => {
        setTab(next);
        if (folded) setUnfolded(true);
      },
      setWidth: (next: number) => {
        setMoving(undefined);
        setWidth(next);
      },
      /** A width that is not kept: the edge is still moving. */
      preview: setMoving,
    }),
    [shown, place, over, folded, modelPath, tab, moving, width, setShown, setTab, setWidth, setUnfolded],
  );
}

export type InspectorLayout = ReturnType<typeof useInspector>;
