import { expect, test } from 'vitest';
import { historyReducer, pairOf, startHistory, type HistoryAction } from './history-state.ts';

const run = (...actions: readonly HistoryAction[]) => actions.reduce(historyReducer, startHistory());

test('a version is compared with the one before it until two are ticked', () => {
  expect(pairOf(startHistory())).toBeUndefined();
  expect(pairOf(run({ type: 'moved', to: 4 }))).toEqual({ older: 3, newer: 4 });
  expect(pairOf(run({ type: 'ticked', version: 4 }))).toEqual({ older: 3, newer: 4 });
  const two = run({ type: 'ticked', version: 2 }, { type: 'ticked', version: 7 }, { type: 'moved', to: 5 });
  expect(pairOf(two)).toEqual({ older: 2, newer: 7, ticked: true });
});

test('a third tick takes the place of the first; a second tick of the same version takes it away', () => {
  const three = run(...[1, 5, 3].map((version) => ({ type: 'ticked', version }) as const));
  expect(three.ticks).toEqual([5, 3]);
  expect(historyReducer(three, { type: 'ticked', version: 5 })).toEqual({ cursor: 5, ticks: [3] });
});

test('a pair opens as it was chosen: ticked one by one, also two neighbours, or a version alone', () => {
  expect(startHistory({ older: 2, newer: 3 })).toEqual({ cursor: 3, ticks: [] });
  const neighbours = { older: 2, newer: 3, ticked: true } as const;
  expect(startHistory(neighbours).ticks).toEqual([3, 2]);
  expect(pairOf(startHistory(neighbours))).toEqual(neighbours);
});
