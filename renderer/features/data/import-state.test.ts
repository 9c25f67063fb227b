import { expect, test } from 'vitest';
import type { ChosenFile } from './chosen-files.ts';
import {
  importReducer,
  initialImport,
  isBusy,
  noProgress,
  type ImportAction,
  type ImportProgress,
} from './import-state.ts';

const file = (name: string, size = 10): ChosenFile => ({
  name,
  kind: 'lines',
  file: new File(['x'.repeat(size)], name),
});
const choose = (...names: string[]): ImportAction => ({
  type: 'chosen',
  chosen: { files: names.map((name) => file(name)), leftOut: [] },
});
const run = (...actions: ImportAction[]) => actions.reduce(importReducer, initialImport);
const at = (bytes: number): ImportProgress => ({ ...noProgress, bytes });

test('files add up, each name once, and a new choice forgets the last outcome', () => {
  const state = run(
    choose('a', 'b'),
    { type: 'started', dryRun: true },
    { type: 'ended', progress: at(20) },
    choose('b', 'c'),
  );
  expect(state.files.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  expect(state).toMatchObject({ phase: { name: 'idle' }, progress: noProgress });
});

test('a choice behind an import begins a new list, so that nothing is stored twice', () => {
  const chosen = (...ending: ImportAction[]) =>
    run(choose('a'), { type: 'started', dryRun: false }, ...ending, choose('b')).files.map(
      ({ name }) => name,
    );
  expect(chosen({ type: 'ended', progress: at(10) })).toEqual(['b']);
  expect(chosen({ type: 'stopping' }, { type: 'ended', progress: at(4) })).toEqual(['a', 'b']);
});

test('a dry run does not outlive the options that it was run with', () => {
  const dry = run(choose('a'), { type: 'started', dryRun: true }, { type: 'ended', progress: at(10) });
  expect(dry.phase).toEqual({ name: 'done', dryRun: true });
  expect(importReducer(dry, { type: 'options', options: { level: 'off' } }).phase.name).toBe('idle');
});

test('while it runs, files and options stay', () => {
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

test('stopped is what ended before its files did', () => {
  const stopping = run(choose('a'), { type: 'started', dryRun: false }, { type: 'stopping' });
  expect(importReducer(stopping, { type: 'ended', progress: at(4) }).phase.name).toBe('stopped');
  expect(importReducer(stopping, { type: 'ended', progress: at(10) }).phase.name).toBe('done');
});

test('the refused ones of an import alone: what was imported stays so, and behind a dry run the files wait', () => {
  const only = [
    { type: 'started', dryRun: false, only: 'refused' },
    { type: 'ended', progress: at(10) },
  ] as const;
  const behind = (dryRun: boolean) =>
    run(choose('a'), { type: 'started', dryRun }, { type: 'ended', progress: at(10) }, ...only).imported;
  expect([behind(false), behind(true)]).toEqual([true, false]);
});
