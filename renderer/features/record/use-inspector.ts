import { useMemo, useState } from 'react';
import type { InspectorTab } from '../../../core/app/inspector-tabs.ts';
import { usePreference } from '../../platform/preferences.ts';
import { readWidth } from './inspector-width.ts';

/** How the inspector stands beside the editor; kept in the workspace database, one for all tabs. */
export interface InspectorLayout {
  readonly shown: boolean;
  readonly tab: InspectorTab;
  readonly width: number;
  readonly toggle: () => void;
  readonly setTab: (tab: InspectorTab) => void;
  readonly setWidth: (width: number) => void;
  /** A width that is not kept: the edge is still moving. */
  readonly preview: (width: number) => void;
}

export function useInspector(): InspectorLayout {
  const [shown, setShown] = usePreference('inspector');
  const [tab, setTab] = usePreference('inspectorTab');
  const [kept, setWidth] = usePreference('inspectorWidth');
  const width = readWidth(kept);
  const [moving, setMoving] = useState<number>();
  return useMemo(
    () => ({
      shown,
      tab,
      width: moving ?? width,
      toggle: () => setShown(!shown),
      setTab,
      setWidth: (next) => {
        setMoving(undefined);
        setWidth(next);
      },
      preview: setMoving,
    }),
    [shown, tab, moving, width, setShown, setTab, setWidth],
  );
}
