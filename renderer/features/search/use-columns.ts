import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  usualColumns,
  withColumn,
  withWidth,
  type ResultColumnId,
  type ResultColumnLayout,
} from '../../../core/app/result-columns.ts';
import { usePreference } from '../../platform/preferences.ts';
import { shownColumns } from './result-columns.tsx';

/** Milliseconds after the last change of a width until it is kept: a drag changes it with every frame. */
const delay = 400;

/** Which columns are shown and how wide, as the workspace remembers it. */
export function useColumns() {
  const [kept, keep] = usePreference('searchColumns');
  const [changed, setChanged] = useState<ResultColumnLayout>();
  const layout = changed ?? kept;
  const latest = useRef(layout);
  useEffect(() => {
    latest.current = layout;
  }, [layout]);

  useEffect(() => {
    if (!changed) return;
    const timer = setTimeout(() => {
      keep(changed);
      setChanged(undefined);
    }, delay);
    return () => clearTimeout(timer);
  }, [changed, keep]);

  const resize = useCallback((id: ResultColumnId, width: number | undefined) => {
    latest.current = withWidth(latest.current, id, width);
    setChanged(latest.current);
    return latest.current.widths[id];
  }, []);
  const show = (id: ResultColumnId, shown: boolean) => setChanged(withColumn(layout, id, shown));
  const reset = () => setChanged(usualColumns);

  const { shown: ids } = layout;
  const shown = useMemo(() => shownColumns(ids), [ids]);
  return { layout, shown, resize, show, reset };
}

export type Columns = ReturnType<typeof useColumns>;
