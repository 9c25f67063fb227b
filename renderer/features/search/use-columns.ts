import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { readLayout, shownColumns, withColumn, withWidth, type ColumnLayout } from '../../ui/grid/columns.ts';
import { resultColumns } from './result-columns.tsx';

/** Milliseconds after the last change of a width until it is kept: a drag changes it with every frame. */
const delay = 400;

/** Which columns are shown, in which order and how wide, as the workspace remembers it. */
export function useColumns() {
  const [kept, keep] = usePreference('searchColumns');
  const [changed, setChanged] = useState<ColumnLayout>();
  const keptLayout = useMemo(() => readLayout(resultColumns, kept), [kept]);
  const layout = changed ?? keptLayout;
  const latest = useRef(layout);
  useEffect(() => {
    latest.current = layout;
  }, [layout]);

  useEffect(() => {
    if (!changed) return;
    const timer = setTimeout(() => {
      keep({ shown: changed.shown, widths: changed.widths });
      setChanged(undefined);
    }, delay);
    return () => clearTimeout(timer);
  }, [changed, keep]);

  const resize = useCallback((id: string, width: number | undefined) => {
    latest.current = withWidth(latest.current, id, width);
    setChanged(latest.current);
    return latest.current.widths[id];
  }, []);
  const show = (id: string, shown: boolean) => setChanged(withColumn(resultColumns, layout, id, shown));
  const reset = () => {
    setChanged(undefined);
    keep(null);
  };

  const { shown: ids } = layout;
  const shown = useMemo(() => shownColumns(resultColumns, ids), [ids]);
  return { layout, shown, resize, show, reset };
}

export type Columns = ReturnType<typeof useColumns>;
