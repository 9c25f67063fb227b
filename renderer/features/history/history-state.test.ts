import { expect, test } from 'vitest';
import { historyReducer, pairOf, startHistory, type HistoryAction } from './history-state.ts';

const run = (...actions: readonly HistoryAction[]) => actions.reduce(historyReducer, startHistory());

test('compares a version with its predecessor until two are selected', () => {
  expect(pairOf(startHistory())).toBeUndefined();
  expect(pairOf(run({ type: 'moved', to: 4 }))).toEqual({ older: 3, newer: 4 });
  expect(pairOf(run({ type: 'ticked', version: 4 }))).toEqual({ older: 3, newer: 4 });
  const twoTicks = run(
    { type: 'ticked', version: 2 },
    { type: 'ticked', version: 7 },
    { type: 'moved', to: 5 },
  );
  expect(pairOf(twoTicks)).toEqual({ older: 2, newer: 7, ticked: true });
});

test('replaces the first selection by a third and removes a version on a second tick', () => {
  const threeTicks = run(...[1, 5, 3].map((version) => ({ type: 'ticked', version }) as const));
  expect(threeTicks.ticks).toEqual([5, 3]);
  expect(historyReducer(threeTicks, { type: 'ticked', version: 5 })).toEqual({ cursor: 5, ticks: [3] });
});

test('opens with the given pair: selected versions, or a version and its predecessor', () => {
  expect(startHistory({ older: 2, newer: 3 })).toEqual({ cursor: 3, ticks: [] });
  const neighbours = { older: 2, newer: 3, ticked: true } as const;
  expect(startHistory(neighbours).ticks).toEqual([3, 2]);
  expect(pairOf(startHistory(neighbours))).toEqual(neighbours);
});
