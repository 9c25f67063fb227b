import { afterEach, expect, test } from 'vitest';
import { expensiveExpression, longToParse, manyNotes } from '../../core/fhirpath/testing/expensive.ts';
import { createCheckRunner, type CheckRunner } from './check-runner.ts';

let runner: CheckRunner | undefined;
afterEach(() => runner?.close());

const check = { type: 'CarePlan', holds: 'title.exists()' } as const;
const plan = JSON.stringify({ resourceType: 'CarePlan', title: 'Walking' });

test('keeps a busy worker and replaces one that exited', async () => {
  // The start of the worker takes longer than its idle time.
  runner = createCheckRunner({ idle: 1 });
  for (let n = 0; n < 3; n += 1) {
    const { outcomes } = await runner.evaluate([check], [plan, '{"resourceType":"CarePlan"}']);
    expect(outcomes).toEqual([[{ is: 'holds' }], [{ is: 'broken', pointers: [''] }]]);
  }
});

test('skips an unreadable record and one of another type', async () => {
  runner = createCheckRunner();
  const { outcomes } = await runner.evaluate(
    [check],
    [undefined, '{', '{"resourceType":"Composition"}', 'null'],
  );
  expect(outcomes.map(([outcome]) => outcome?.is)).toEqual(['skipped', 'skipped', 'none', 'none']);
});

const large = JSON.stringify({ resourceType: 'CarePlan', title: 'Large', note: manyNotes });

test('stops an endless expression on one record and evaluates the next', async () => {
  runner = createCheckRunner({ time: 100 });
  const costly = { type: 'CarePlan', holds: expensiveExpression } as const;
  const { outcomes, haltedChecks } = await runner.evaluate([costly, check], [large, plan]);
  expect(outcomes).toEqual([
    [{ is: 'skipped', why: 'It takes longer than 100 ms.' }, { is: 'holds' }],
    [{ is: 'holds' }, { is: 'holds' }],
  ]);
  expect(haltedChecks.size).toBe(0);
});

test('skips only the check whose expression takes too long to parse', async () => {
  runner = createCheckRunner({ parsing: 60 });
  const slow = { type: 'CarePlan', applies: 'true', holds: longToParse('title') } as const;
  const reason = 'Can’t read the expression. It takes longer than 60 ms.';
  const { outcomes } = await runner.evaluate([slow, check], [plan, plan]);
  const row = [{ is: 'skipped', why: reason }, { is: 'holds' }];
  expect(outcomes).toEqual([row, row]);
  expect(await runner.faults(slow)).toMatchObject([
    ['holds', { text: reason, messageCode: 'check.unreadable' }],
  ]);
  expect(await runner.faults(check)).toEqual([]);
});
