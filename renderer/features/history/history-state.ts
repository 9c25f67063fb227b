/**
 * features/history shows the versions of a record and the differences between any two. The app mounts its pane next
 * to the open record and its sheet over it. Invariant: it changes nothing; the app applies a restore as an edit.
 */

/** Version at the cursor, and versions selected for comparison. */
export interface HistoryState {
  /** Version number; undefined before the first version is loaded. */
  readonly cursor?: number;
  /** At most two, in the order of selection. */
  readonly ticks: readonly number[];
}

export type HistoryAction =
  | { readonly type: 'moved'; readonly to: number }
  | { readonly type: 'ticked'; readonly version: number };

/** Two versions to compare; `older` is 0 if `newer` is the first. */
export interface VersionPair {
  readonly older: number;
  readonly newer: number;
  /** Set if both versions were selected, instead of a version and its predecessor. */
  readonly ticked?: true;
}

export function startHistory(pair?: VersionPair): HistoryState {
  if (!pair) return { ticks: [] };
  return { cursor: pair.newer, ticks: pair.ticked ? [pair.newer, pair.older] : [] };
}

/** Returns the next state. A third tick replaces the first. */
export function historyReducer(state: HistoryState, action: HistoryAction): HistoryState {
  switch (action.type) {
    case 'moved':
      return { ...state, cursor: action.to };
    case 'ticked': {
      const { version } = action;
      const ticks = state.ticks.includes(version)
        ? state.ticks.filter((tick) => tick !== version)
        : [...state.ticks, version].slice(-2);
      return { cursor: version, ticks };
    }
  }
}

/** Returns the versions to compare: the two ticked versions, or the version at the cursor and its predecessor. */
export function pairOf({ ticks, cursor }: HistoryState): VersionPair | undefined {
  const [firstTick, secondTick] = ticks;
  if (firstTick !== undefined && secondTick !== undefined) {
    return { older: Math.min(firstTick, secondTick), newer: Math.max(firstTick, secondTick), ticked: true };
  }
  return cursor === undefined ? undefined : { older: cursor - 1, newer: cursor };
}
