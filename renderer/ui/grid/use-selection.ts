import { useMemo, useReducer } from 'react';
import { noSelection, selectionReducer, type SelectionAction } from './selection.ts';

/** The selection of a grid whose rows come in this order; `keyOf` stays the same from draw to draw. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [selection, dispatch] = useReducer(selectionReducer, noSelection);
  const { current: key, chosen } = selection;
  // By key, so that sorting moves the row at hand and does not put another in its place.
  const current = useMemo(
    () => Math.max(0, key === undefined ? 0 : rows.findIndex((row) => keyOf(row) === key)),
    [rows, key, keyOf],
  );
  const chosenRows = useMemo(
    () => (chosen.size === 0 ? [] : rows.filter((row) => chosen.has(keyOf(row)))),
    [rows, chosen, keyOf],
  );
  const order = () => rows.map(keyOf);
  const act = (index: number, actionOf: (key: string) => SelectionAction) => {
    const row = rows[index];
    if (row !== undefined) dispatch(actionOf(keyOf(row)));
  };

  return {
    current,
    chosen,
    /** What an action at the row at hand acts on: all that are chosen where it is one of them. */
    rowsAt(index: number): readonly Row[] {
      const row = rows[index];
      if (!row) return [];
      return chosen.has(keyOf(row)) ? chosenRows : [row];
    },
    move: (index: number) => act(index, (to) => ({ type: 'moved', to })),
    extend: (index: number) => act(index, (to) => ({ type: 'extended', to, order: order() })),
    toggle: (index: number) => act(index, (at) => ({ type: 'toggled', key: at })),
    all: () => dispatch({ type: 'all', order: order() }),
    clear: () => dispatch({ type: 'cleared' }),
  };
}

export type Selection<Row> = ReturnType<typeof useSelection<Row>>;
