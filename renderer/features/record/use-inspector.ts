import { useMemo, useState } from 'react';
import type { InspectorTab } from '../../../core/app/preferences.ts';
import { usePreference } from '../../platform/preferences.ts';
import { inspectorWidth } from './panel-sizes.ts';
import { usePanelSize } from './use-edge.ts';
import type { InspectorPlace } from './use-record-view.ts';

/**
 * Layout of the inspector, stored in the workspace database for all tabs. Over the JSON it opens on request
 * and closes with its record.
 */
export function useInspector(position: InspectorPlace, modelPath: string) {
  const [isEnabled, setIsEnabled] = usePreference('inspector');
  const [tab, setTab] = usePreference('inspectorTab');
  const [isUnfolded, setIsUnfolded] = usePreference('inspectorUnfolded');
  const panel = usePanelSize('inspectorWidth', inspectorWidth);
  const [openedFor, setOpenedFor] = useState<string>();
  const isOver = position === 'over';
  const isFolded = position === 'below' && !isUnfolded;
  const isShown = isOver ? openedFor === modelPath : isEnabled;
  return useMemo(
    () => ({
      isShown,
      position,
      /** True if only the tabs are shown below the reading view. */
      isFolded,
      tab,
      panel,
      toggle: () => (isOver ? setOpenedFor(isShown ? undefined : modelPath) : setIsEnabled(!isShown)),
      fold: () => setIsUnfolded(false),
      setTab: (next: InspectorTab) => {
        setTab(next);
        if (isFolded) setIsUnfolded(true);
      },
    }),
    [isShown, position, isOver, isFolded, modelPath, tab, panel, setIsEnabled, setTab, setIsUnfolded],
  );
}

export type InspectorLayout = ReturnType<typeof useInspector>;
