import { expect, test } from 'vitest';
import type { NewAuditEntry } from '../store/audit-trail.ts';
import { boundedAudit } from './audit-recorder.ts';

test('of strangers 1,000 entries a minute are kept, of those who are signed in every one', () => {
  let now = 1_000_000;
  const kept: string[] = [];
  const audit = boundedAudit({ note: ({ who }) => kept.push(who) }, () => now);
  const entry = (who: string): NewAuditEntry => ({
    ...{ time: now, who, action: 'sign-in', what: '/', status: 401, requestId: 'r' },
  });
  for (let index = 0; index < 1500; index += 1) audit.note(entry(''));
  expect(kept).toHaveLength(1000);
  for (let index = 0; index < 1500; index += 1) audit.note(entry('owner'));
  expect(kept).toHaveLength(2500);
  now += 60_000;
  audit.note(entry(''));
  expect(kept).toHaveLength(2501);
});
