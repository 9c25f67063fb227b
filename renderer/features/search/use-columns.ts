import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { columnElements, columnsOf } from '../../../core/fhir/columns.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { matchesSchema, members } from '../../../core/json/shape.ts';
import { usePreference } from '../../platform/preferences.ts';
import {
  readLayout,
  listVisibleColumns,
  withColumn,
  withPlace,
  withWidth,
  type ColumnLayout,
} from '../../ui/grid/columns.ts';
import { useStable } from '../../ui/use-stable.ts';
import { resultColumns } from './result-columns.tsx';

/** Delay in milliseconds after the last change before saving: a drag changes a width with every frame. */
const saveDelayMs = 400;

/** Returns the stored layout of a type. Earlier versions stored one layout for all types. */
function pickTypeLayout(storedValue: unknown, type: ResourceType): unknown {
  if (!matchesSchema(members, storedValue)) return undefined;
  const { types } = storedValue;
  return matchesSchema(members, types) ? types[type] : storedValue;
}

/** Returns the visible columns of a type with their order and widths, as stored in the workspace. */
export function useColumns(type: ResourceType) {
  const [storedValue, store] = usePreference('searchColumns');
  const [draftLayout, setDraftLayout] = useState<ColumnLayout>();
  const allColumns = resultColumns[type];
  const typeLayout = pickTypeLayout(storedValue, type);
  const savedLayout = useMemo(() => readLayout(allColumns, typeLayout), [allColumns, typeLayout]);
  const layout = draftLayout ?? savedLayout;
  const latest = useRef(layout);
  useEffect(() => {
    latest.current = layout;
  }, [layout]);

  const storeLayout = useStable((change: ColumnLayout | undefined) => {
    const types = Object.fromEntries(
      resourceTypes.flatMap((resourceType) => {
        const layout = resourceType === type ? change : pickTypeLayout(storedValue, resourceType);
        return layout === undefined ? [] : [[resourceType, layout]];
      }),
    );
    store({ shown: [], widths: {}, types });
  });
  useEffect(() => {
    if (!draftLayout) return;
    const timer = setTimeout(() => {
      storeLayout(draftLayout);
      setDraftLayout(undefined);
    }, saveDelayMs);
    return () => clearTimeout(timer);
  }, [draftLayout, storeLayout]);

  const resize = useCallback((id: string, width: number | undefined) => {
    latest.current = withWidth(latest.current, id, width);
    setDraftLayout(latest.current);
    return latest.current.widths[id];
  }, []);
  const move = useCallback((id: string, position: number) => {
    latest.current = withPlace(latest.current, id, position);
    setDraftLayout(latest.current);
    return latest.current.shown;
  }, []);
  const show = (id: string, shown: boolean) => setDraftLayout(withColumn(allColumns, layout, id, shown));
  const reset = () => {
    setDraftLayout(undefined);
    storeLayout(undefined);
  };

  const { shown: ids } = layout;
  const isCustomized = draftLayout !== undefined || matchesSchema(members, typeLayout);
  const visibleColumns = useMemo(() => {
    const columns = listVisibleColumns(allColumns, ids);
    // Selected columns are always visible, even in a narrow grid.
    return isCustomized ? columns.map(({ minGridWidth: _from, ...column }) => column) : columns;
  }, [allColumns, ids, isCustomized]);
  return { allColumns, layout, visibleColumns, resize, move, show, reset };
}

export type Columns = ReturnType<typeof useColumns>;

/** Returns the visible columns beyond the summary, and the elements that the server must return for them. */
export function useAskedColumns(type: ResourceType) {
  const [storedValue] = usePreference('searchColumns');
  const typeLayout = pickTypeLayout(storedValue, type);
  return useMemo(() => {
    const { shown: visibleIds } = readLayout(resultColumns[type], typeLayout);
    const rows = columnsOf[type].filter(
      ({ id, isAlwaysExported }) => isAlwaysExported === true || visibleIds.includes(id),
    );
    return { ids: rows.map(({ id }) => id), elements: columnElements(rows) };
  }, [type, typeLayout]);
}
