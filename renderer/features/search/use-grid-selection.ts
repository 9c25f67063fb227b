import { useMemo, useReducer } from 'react';
import { rowKey, type ResultRow } from './result-rows.ts';
import { noSelection, selectionReducer } from './selection.ts';

/** The selection of a grid whose rows come in this order. */
export function useGridSelection(rows: readonly ResultRow[]) {
  const [selection, dispatch] = useReducer(selectionReducer, noSelection);
  const { current: key, chosen } = selection;
  // By key, so that sorting moves the row at hand and does not put another in its place.
  const current = useMemo(
    () => Math.max(0, key === undefined ? 0 : rows.findIndex((row) => rowKey(row) === key)),
    [rows, key],
  );
  const chosenRows = useMemo(
    () => (chosen.size === 0 ? [] : rows.filter((row) => chosen.has(rowKey(row)))),
    [rows, chosen],
  );
  const order = () => rows.map(rowKey);
  const keyAt = (index: number) => {
    const row = rows[index];
    return row && rowKey(row);
  };

  return {
    current,
    chosen,
    chosenRows,
    /** What an action at the row at hand acts on: all that are chosen where it is one of them. */
    rowsAt(index: number): readonly ResultRow[] {
      const row = rows[index];
      if (!row) return [];
      return chosen.has(rowKey(row)) ? chosenRows : [row];
    },
    move(index: number) {
      const to = keyAt(index);
      if (to !== undefined) dispatch({ type: 'moved', to });
    },
    extend(index: number) {
      const to = keyAt(index);
      if (to !== undefined) dispatch({ type: 'extended', to, order: order() });
    },
    toggle(index: number) {
      const at = keyAt(index);
      if (at !== undefined) dispatch({ type: 'toggled', key: at });
    },
    all: () => dispatch({ type: 'all', order: order() }),
    clear: () => dispatch({ type: 'cleared' }),
  };
}

export type GridSelection = ReturnType<typeof useGridSelection>;
