import { afterEach, expect, test } from 'vitest';
import { expensiveExpression, longToParse, manyNotes } from '../../core/fhirpath/testing/expensive.ts';
import { createCheckRunner, type CheckRunner } from './check-runner.ts';

let runner: CheckRunner | undefined;
afterEach(() => runner?.close());

const check = { type: 'CarePlan', holds: 'title.exists()' } as const;
const plan = JSON.stringify({ resourceType: 'CarePlan', title: 'Walking' });

test('a thread that works is not ended for want of work, and one that ended is followed by another', async () => {
  // It takes longer to begin than it may be idle.
  runner = createCheckRunner({ idle: 1 });
  for (let n = 0; n < 3; n += 1) {
    const { answers } = await runner.judge([check], [plan, '{"resourceType":"CarePlan"}']);
    expect(answers).toEqual([[{ is: 'holds' }], [{ is: 'broken', pointers: [''] }]]);
  }
});

test('a record that cannot be read is not judged; one of another type is not asked', async () => {
  runner = createCheckRunner();
  const { answers } = await runner.judge([check], [undefined, '{', '{"resourceType":"Composition"}', 'null']);
  expect(answers.map(([one]) => one?.is)).toEqual(['skipped', 'skipped', 'none', 'none']);
});

const large = JSON.stringify({ resourceType: 'CarePlan', title: 'Large', note: manyNotes });

test('an expression that runs away on a record is ended there, and asked of the next', async () => {
  runner = createCheckRunner({ time: 100 });
  const costly = { type: 'CarePlan', holds: expensiveExpression } as const;
  const { answers, halted } = await runner.judge([costly, check], [large, plan]);
  expect(answers).toEqual([
    [{ is: 'skipped', why: 'It takes longer than 100 ms.' }, { is: 'holds' }],
    [{ is: 'holds' }, { is: 'holds' }],
  ]);
  expect(halted.size).toBe(0);
});

test('an expression that takes too long to parse costs its own check the verdicts', async () => {
  runner = createCheckRunner({ parsing: 20 });
  const slow = { type: 'CarePlan', applies: 'true', holds: longToParse('title') } as const;
  const why = 'The expression cannot be read. It takes longer than 20 ms.';
  const { answers } = await runner.judge([slow, check], [plan, plan]);
  const row = [{ is: 'skipped', why }, { is: 'holds' }];
  expect(answers).toEqual([row, row]);
  expect(await runner.faults(slow)).toEqual([['holds', why]]);
  expect(await runner.faults(check)).toEqual([]);
});
