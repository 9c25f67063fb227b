/**
 * features/history shows the versions of a record and what differs between any two. The app mounts its pane beside the
 * open record and its sheet over it. Invariant: it changes nothing; a restore is handed to the app as an edit.
 */

/** Where the cursor stands, and which versions are ticked to be compared. */
export interface HistoryState {
  /** A version's number; absent before the first is there. */
  readonly cursor?: number;
  /** At most two, in the order of ticking. */
  readonly ticks: readonly number[];
}

export type HistoryAction =
  | { readonly type: 'moved'; readonly to: number }
  | { readonly type: 'ticked'; readonly version: number };

/** Two versions to compare; `older` is 0 where there is nothing before `newer`. */
export interface VersionPair {
  readonly older: number;
  readonly newer: number;
  /** Each was chosen, as against one with what stands before it. */
  readonly ticked?: true;
}

export function startHistory(pair?: VersionPair): HistoryState {
  if (!pair) return { ticks: [] };
  return { cursor: pair.newer, ticks: pair.ticked ? [pair.newer, pair.older] : [] };
}

/** The next state; pure. A third tick takes the place of the first. */
export function historyReducer(state: HistoryState, action: HistoryAction): HistoryState {
  switch (action.type) {
    case 'moved':
      return { ...state, cursor: action.to };
    case 'ticked': {
      const { version } = action;
      const ticks = state.ticks.includes(version)
        ? state.ticks.filter((one) => one !== version)
        : [...state.ticks, version].slice(-2);
      return { cursor: version, ticks };
    }
  }
}

/** What is compared: the two ticked versions, else the one at the cursor with the one before it. */
export function pairOf({ ticks, cursor }: HistoryState): VersionPair | undefined {
  const [first, second] = ticks;
  if (first !== undefined && second !== undefined) {
    return { older: Math.min(first, second), newer: Math.max(first, second), ticked: true };
  }
  return cursor === undefined ? undefined : { older: cursor - 1, newer: cursor };
}
