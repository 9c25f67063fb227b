import { useMemo, useReducer } from 'react';

/** Selected rows of a grid by key, and the row in the tab order. */
export interface SelectionState {
  /** Row that keys move from. */
  readonly current?: string;
  /** Start of a range. */
  readonly anchor?: string;
  readonly selectedKeys: ReadonlySet<string>;
}

export type SelectionAction =
  | { readonly type: 'moved'; readonly to: string }
  | { readonly type: 'toggled'; readonly key: string }
  /** Selects all rows between the anchor and this row. */
  | { readonly type: 'extended'; readonly to: string; readonly order: readonly string[] }
  | { readonly type: 'all'; readonly order: readonly string[] }
  | { readonly type: 'cleared' };

export const noSelection: SelectionState = { selectedKeys: new Set() };

/** Returns the next selection. Pure. */
export function selectionReducer(state: SelectionState, action: SelectionAction): SelectionState {
  switch (action.type) {
    case 'moved':
      return { ...state, current: action.to, anchor: action.to };
    case 'toggled': {
      const selectedKeys = new Set(state.selectedKeys);
      if (!selectedKeys.delete(action.key)) selectedKeys.add(action.key);
      return { current: action.key, anchor: action.key, selectedKeys };
    }
    case 'extended':
      return extendSelection(state, action.to, action.order);
    case 'all':
      return { ...state, selectedKeys: new Set(action.order) };
    case 'cleared':
      return { ...state, selectedKeys: noSelection.selectedKeys };
  }
}

function extendSelection(state: SelectionState, targetKey: string, order: readonly string[]): SelectionState {
  const anchor = state.anchor ?? state.current ?? order[0] ?? targetKey;
  const [anchorIndex, targetIndex] = [order.indexOf(anchor), order.indexOf(targetKey)];
  if (anchorIndex === -1 || targetIndex === -1) return { ...state, current: targetKey };
  const range = order.slice(Math.min(anchorIndex, targetIndex), Math.max(anchorIndex, targetIndex) + 1);
  return { current: targetKey, anchor, selectedKeys: new Set(range) };
}

/** Returns the selection of a grid with these rows. `keyOf` must be stable. */
export function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [selection, dispatch] = useReducer(selectionReducer, noSelection);
  const { current: key, selectedKeys } = selection;
  // By key, so that the current row moves when the order changes.
  const current = useMemo(
    () => Math.max(0, key === undefined ? 0 : rows.findIndex((row) => keyOf(row) === key)),
    [rows, key, keyOf],
  );
  const selectedRows = useMemo(
    () => (selectedKeys.size === 0 ? [] : rows.filter((row) => selectedKeys.has(keyOf(row)))),
    [rows, selectedKeys, keyOf],
  );
  const order = () => rows.map(keyOf);
  const dispatchAt = (index: number, createAction: (key: string) => SelectionAction) => {
    const row = rows[index];
    if (row !== undefined) dispatch(createAction(keyOf(row)));
  };

  return {
    current,
    chosen: selectedKeys,
    /** Returns the rows that an action at a row applies to: all selected rows if it is one of them. */
    rowsAt(index: number): readonly Row[] {
      const row = rows[index];
      if (!row) return [];
      return selectedKeys.has(keyOf(row)) ? selectedRows : [row];
    },
    move: (index: number) => dispatchAt(index, (to) => ({ type: 'moved', to })),
    extend: (index: number) => dispatchAt(index, (to) => ({ type: 'extended', to, order: order() })),
    toggle: (index: number) => dispatchAt(index, (rowKey) => ({ type: 'toggled', key: rowKey })),
    all: () => dispatch({ type: 'all', order: order() }),
    clear: () => dispatch({ type: 'cleared' }),
  };
}

export type Selection<Row> = ReturnType<typeof useSelection<Row>>;
