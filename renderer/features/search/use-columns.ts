import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { columnElements, columnsOf } from '../../../core/fhir/columns.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { is, members } from '../../../core/json/shape.ts';
import { usePreference } from '../../platform/preferences.ts';
import {
  readLayout,
  shownColumns,
  withColumn,
  withPlace,
  withWidth,
  type ColumnLayout,
} from '../../ui/grid/columns.ts';
import { useStable } from '../../ui/use-stable.ts';
import { resultColumns } from './result-columns.tsx';

/** Milliseconds after the last change until it is kept: a drag changes a width with every frame. */
const delay = 400;

/** What is kept of a type; one layout for all types is what former versions kept. */
function keptOf(kept: unknown, type: ResourceType): unknown {
  if (!is(members, kept)) return undefined;
  const { types } = kept;
  return is(members, types) ? types[type] : kept;
}

/** Which columns of a type are shown, in which order and how wide, as the workspace remembers it. */
export function useColumns(type: ResourceType) {
  const [kept, keep] = usePreference('searchColumns');
  const [changed, setChanged] = useState<ColumnLayout>();
  const all = resultColumns[type];
  const own = keptOf(kept, type);
  const keptLayout = useMemo(() => readLayout(all, own), [all, own]);
  const layout = changed ?? keptLayout;
  const latest = useRef(layout);
  useEffect(() => {
    latest.current = layout;
  }, [layout]);

  const keepOwn = useStable((change: ColumnLayout | undefined) => {
    const types = Object.fromEntries(
      resourceTypes.flatMap((one) => {
        const layout = one === type ? change : keptOf(kept, one);
        return layout === undefined ? [] : [[one, layout]];
      }),
    );
    keep({ shown: [], widths: {}, types });
  });
  useEffect(() => {
    if (!changed) return;
    const timer = setTimeout(() => {
      keepOwn(changed);
      setChanged(undefined);
    }, delay);
    return () => clearTimeout(timer);
  }, [changed, keepOwn]);

  const resize = useCallback((id: string, width: number | undefined) => {
    latest.current = withWidth(latest.current, id, width);
    setChanged(latest.current);
    return latest.current.widths[id];
  }, []);
  const move = useCallback((id: string, place: number) => {
    latest.current = withPlace(latest.current, id, place);
    setChanged(latest.current);
    return latest.current.shown;
  }, []);
  const show = (id: string, shown: boolean) => setChanged(withColumn(all, layout, id, shown));
  const reset = () => {
    setChanged(undefined);
    keepOwn(undefined);
  };

  const { shown: ids } = layout;
  const chosen = changed !== undefined || is(members, own);
  const shown = useMemo(() => {
    const columns = shownColumns(all, ids);
    // What was chosen is shown, however little room there is.
    return chosen ? columns.map(({ from: _from, ...column }) => column) : columns;
  }, [all, ids, chosen]);
  return { all, layout, shown, resize, move, show, reset };
}

export type Columns = ReturnType<typeof useColumns>;

/** The columns beyond the summary that are shown of a type, and the elements that the server is asked for them. */
export function useAskedColumns(type: ResourceType) {
  const [kept] = usePreference('searchColumns');
  const own = keptOf(kept, type);
  return useMemo(() => {
    const { shown } = readLayout(resultColumns[type], own);
    const rows = columnsOf[type].filter(
      ({ id, exportedAlways }) => exportedAlways === true || shown.includes(id),
    );
    return { ids: rows.map(({ id }) => id), elements: columnElements(rows) };
  }, [type, own]);
}
