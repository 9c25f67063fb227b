import { afterEach, expect, test } from 'vitest';
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
