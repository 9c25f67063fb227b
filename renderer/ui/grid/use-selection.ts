import { useMemo, useReducer } from 'react';

/** The chosen rows of a grid by their keys, and the row in the tab order that a range is measured from. */
export interface SelectionState {
  /** The row that keys move from. */
  readonly current?: string;
  /** Where a range began. */
  readonly anchor?: string;
  readonly chosen: ReadonlySet<string>;
}

export type SelectionAction =
  | { readonly type: 'moved'; readonly to: string }
  | { readonly type: 'toggled'; readonly key: string }
  /** Chooses all rows between the anchor and this one. */
  | { readonly type: 'extended'; readonly to: string; readonly order: readonly string[] }
  | { readonly type: 'all'; readonly order: readonly string[] }
  | { readonly type: 'cleared' };

export const noSelection: SelectionState = { chosen: new Set() };

/** The next selection; pure. */
export function selectionReducer(state: SelectionState, action: SelectionAction): SelectionState {
  switch (action.type) {
    case 'moved':
      return { ...state, current: action.to, anchor: action.to };
    case 'toggled': {
      const chosen = new Set(state.chosen);
      if (!chosen.delete(action.key)) chosen.add(action.key);
      return { current: action.key, anchor: action.key, chosen };
    }
    case 'extended':
      return extended(state, action.to, action.order);
    case 'all':
      return { ...state, chosen: new Set(action.order) };
    case 'cleared':
      return { ...state, chosen: noSelection.chosen };
  }
}

function extended(state: SelectionState, to: string, order: readonly string[]): SelectionState {
  const anchor = state.anchor ?? state.current ?? order[0] ?? to;
  const [from, until] = [order.indexOf(anchor), order.indexOf(to)];
  if (from === -1 || until === -1) return { ...state, current: to };
  const range = order.slice(Math.min(from, until), Math.max(from, until) + 1);
  return { current: to, anchor, chosen: new Set(range) };
}

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
