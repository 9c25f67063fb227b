import { useMemo, useState } from 'react';
import type { InspectorTab } from '../../../core/app/inspector-tabs.ts';
import { usePreference } from '../../platform/preferences.ts';
import { readWidth } from './inspector-width.ts';

/** How the inspector stands beside the editor; kept in the workspace database, one for all tabs. */
export interface InspectorLayout {
  readonly shown: boolean;
  /** Whether it lies over what it has no room beside. */
  readonly over: boolean;
  readonly tab: InspectorTab;
  readonly width: number;
  readonly toggle: () => void;
  readonly setTab: (tab: InspectorTab) => void;
  readonly setWidth: (width: number) => void;
  /** A width that is not kept: the edge is still moving. */
  readonly preview: (width: number) => void;
}

/** Where there is no `room` for the inspector, it comes when it is called, and goes with what it lies over. */
export function useInspector(room: boolean, modelPath: string): InspectorLayout {
  const [wanted, setShown] = usePreference('inspector');
  const [tab, setTab] = usePreference('inspectorTab');
  const [kept, setWidth] = usePreference('inspectorWidth');
  const width = readWidth(kept);
  const [called, setCalled] = useState<string>();
  const over = !room;
  const shown = over ? called === modelPath : wanted;
  const [moving, setMoving] = useState<number>();
  return useMemo(
    () => ({
      shown,
      over,
      tab,
      width: moving ?? width,
      toggle: () => (over ? setCalled(shown ? undefined : modelPath) : setShown(!shown)),
      setTab,
      setWidth: (next) => {
        setMoving(undefined);
        setWidth(next);
      },
      preview: setMoving,
    }),
    [shown, over, modelPath, tab, moving, width, setShown, setTab, setWidth],
  );
}
