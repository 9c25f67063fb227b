/** The chosen rows of a grid by their keys, and the row in the tab order that a range is measured from. */
export interface Selection {
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

export const noSelection: Selection = { chosen: new Set() };

/** The next selection; pure. */
export function selectionReducer(state: Selection, action: SelectionAction): Selection {
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

function extended(state: Selection, to: string, order: readonly string[]): Selection {
  const anchor = state.anchor ?? state.current ?? order[0] ?? to;
  const [from, until] = [order.indexOf(anchor), order.indexOf(to)];
  if (from === -1 || until === -1) return { ...state, current: to };
  const range = order.slice(Math.min(from, until), Math.max(from, until) + 1);
  return { current: to, anchor, chosen: new Set(range) };
}
