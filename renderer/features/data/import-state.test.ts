import { expect, test } from 'vitest';
import type { SelectedFile } from './chosen-files.ts';
import {
  importReducer,
  initialImport,
  isBusy,
  noProgress,
  recordCounts,
  recordsOf,
  type ImportAction,
  type ImportProgress,
} from './import-state.ts';

const file = (name: string, size = 10): SelectedFile => ({
  name,
  format: 'lines',
  file: new File(['x'.repeat(size)], name),
});
const choose = (...names: string[]): ImportAction => ({
  type: 'chosen',
  files: names.map((name) => file(name)),
});
const run = (...actions: ImportAction[]) => actions.reduce(importReducer, initialImport);
const progressAt = (bytes: number): ImportProgress => ({ ...noProgress, bytes });

test('collects files once by name and clears the last result on a new selection', () => {
  const state = run(
    choose('a', 'b'),
    { type: 'started', dryRun: true },
    { type: 'ended', progress: progressAt(20), isComplete: true },
    choose('b', 'c'),
  );
  expect(state.files.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(state).toMatchObject({ phase: { name: 'idle' }, progress: noProgress });
});

test('starts a new list after an import, so that nothing is stored twice', () => {
  const selectAfter = (...ending: ImportAction[]) =>
    run(choose('a'), { type: 'started', dryRun: false }, ...ending, choose('b')).files.map(
      ({ name }) => name,
    );
  expect(selectAfter({ type: 'ended', progress: progressAt(10), isComplete: true })).toEqual(['b']);
  expect(
    selectAfter({ type: 'stopping' }, { type: 'ended', progress: progressAt(10), isComplete: false }),
  ).toEqual(['a', 'b']);
});

test('discards a dry run when its options change', () => {
  const dry = run(
    choose('a'),
    { type: 'started', dryRun: true },
    { type: 'ended', progress: progressAt(10), isComplete: true },
  );
  expect(dry.phase).toEqual({ name: 'done', dryRun: true });
  expect(importReducer(dry, { type: 'options', options: { level: 'off' } }).phase.name).toBe('idle');
});

test('keeps files and options during a run', () => {
  const running = run(choose('a'), { type: 'started', dryRun: false });
  expect(isBusy(running)).toBe(true);
  for (const action of [
    choose('b'),
    { type: 'cleared' },
    { type: 'options', options: { keepIds: false } },
  ] as const) {
    expect(importReducer(running, action)).toBe(running);
  }
});

test('is stopped if the run ended before its files did', () => {
  const stopping = run(choose('a'), { type: 'started', dryRun: false }, { type: 'stopping' });
  expect(
    importReducer(stopping, { type: 'ended', progress: progressAt(10), isComplete: false }).phase.name,
  ).toBe('stopped');
  expect(
    importReducer(stopping, { type: 'ended', progress: progressAt(10), isComplete: true }).phase.name,
  ).toBe('done');
});

test('flags only rejected records, and keeps the files pending after a dry run', () => {
  const flaggingRun = [
    { type: 'started', dryRun: false, flagging: 'refused' },
    { type: 'ended', progress: progressAt(10), isComplete: true },
  ] as const;
  const flagAfter = (dryRun: boolean) =>
    run(
      choose('a'),
      { type: 'started', dryRun },
      { type: 'ended', progress: progressAt(10), isComplete: true },
      ...flaggingRun,
    ).imported;
  expect([flagAfter(false), flagAfter(true)]).toEqual([true, false]);
});

test('counts skipped files apart from records', () => {
  const progress = {
    ...noProgress,
    counts: { ...noProgress.counts, stored: 2, skipped: 3 },
    skippedFiles: 2,
  };
  expect(recordsOf(progress)).toBe(3);
  expect(recordCounts(progress)).toMatchObject({ stored: 2, skipped: 1 });
});
