import { expect, test } from 'vitest';
import { targetStates } from '../../../core/app/bulk.ts';
import { reportOf } from './report.ts';

const targets = targetStates.map((state) => ({ type: 'CarePlan' as const, id: state, title: 'Plan', state }));

/** Code of each result in a report. */
const codesIn = (report: string) =>
  Object.fromEntries(
    report
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(1))
      .map(([id, , outcome]) => [id, outcome]),
  );

const codesOfDryRun = {
  waiting: 'waiting',
  ready: 'would-change',
  unchanged: 'unchanged',
  cannot: 'cannot-change',
  refused: 'would-be-refused',
  unread: 'unread',
  done: 'changed',
  changed: 'changed-by-others',
  gone: 'gone',
  failed: 'failed',
};

test('writes a code for each result that does not depend on page texts', () => {
  expect(codesIn(reportOf({ targets }))).toEqual(codesOfDryRun);
  expect(codesIn(reportOf({ targets, run: 'r' }))).toEqual({ ...codesOfDryRun, ready: 'pending' });
});

test('writes the codes of an undo', () => {
  const savedRun = { label: 'Plans', state: 'finished', undoes: 'r' } as const;
  expect(codesIn(reportOf({ targets, storedRun: savedRun, run: 'u' }))).toEqual({
    ...codesOfDryRun,
    ready: 'pending',
    done: 'restored',
    cannot: 'cannot-restore',
  });
});

test('writes the reason, otherwise the changes of a record', () => {
  const change = { pointer: '/status', before: '"draft"', after: '"active"' };
  const [firstTarget] = targets;
  if (!firstTarget) throw new Error('No state is known.');
  const report = reportOf({ targets: [{ ...firstTarget, version: 2, changes: [change] }] });
  expect(report).toContain('type,id,title,outcome,version,detail\r\n');
  expect(report).toContain('CarePlan,waiting,Plan,waiting,2,');
  expect(report).toContain('/status: ""draft"" → ""active""');
  expect(reportOf({ targets: [{ ...firstTarget, detail: 'Not found.', changes: [change] }] })).toContain(
    ',waiting,,Not found.\r\n',
  );
});
