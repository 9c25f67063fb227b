import { useMemo, useState } from 'react';
import type { InspectorTab } from '../../../core/app/preferences.ts';
import { usePreference } from '../../platform/preferences.ts';
import { inspectorWidth } from './edges.ts';
import { useEdge } from './use-edge.ts';
import type { InspectorPlace } from './use-record-view.ts';

/**
 * How the inspector stands beside the editor; kept in the workspace database, one for all tabs. Over the JSON it comes
 * when it is called, and goes with what it lies over.
 */
export function useInspector(place: InspectorPlace, modelPath: string) {
  const [wanted, setShown] = usePreference('inspector');
  const [tab, setTab] = usePreference('inspectorTab');
  const [unfolded, setUnfolded] = usePreference('inspectorUnfolded');
  const edge = useEdge('inspectorWidth', inspectorWidth);
  const [called, setCalled] = useState<string>();
  const over = place === 'over';
  const folded = place === 'below' && !unfolded;
  const shown = over ? called === modelPath : wanted;
  return useMemo(
    () => ({
      shown,
      place,
      /** Below the reading view its tabs alone may be shown. */
      folded,
      tab,
      edge,
      toggle: () => (over ? setCalled(shown ? undefined : modelPath) : setShown(!shown)),
      fold: () => setUnfolded(false),
      setTab: (next: InspectorTab) => {
        setTab(next);
        if (folded) setUnfolded(true);
      },
    }),
    [shown, place, over, folded, modelPath, tab, edge, setShown, setTab, setUnfolded],
  );
}

export type InspectorLayout = ReturnType<typeof useInspector>;
