import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leaveCode } from './link-files.ts';
import { signInCodes } from './sign-in-codes.ts';

const grant = { name: 'owner', scopes: ['system/*.*'] };
const none = 'nowhere';

test('a code holds for an hour, and is called old for a day', () => {
  let now = 1_000_000;
  const codes = signInCodes(none, () => now);
  const [first, second] = [codes.issue(grant), codes.issue(grant)];
  now += 3_600_000 - 1;
  expect(codes.take(first.code)).toEqual(grant);
  now += 1;
  expect(codes.take(second.code)).toBe('old');
  expect(codes.take(first.code)).toBe('used');
  now += 24 * 3_600_000;
  codes.issue(grant);
  expect(codes.take(second.code)).toBe('unknown');
});

test('another one’s code, and what is near to a code, is unknown', () => {
  const codes = signInCodes(none, Date.now);
  const { code } = signInCodes(none, Date.now).issue(grant);
  const own = codes.issue(grant).code;
  for (const near of [code, ` ${own}`, own.slice(1), `${own}=`]) expect(codes.take(near)).toBe('unknown');
});

test('a code that was left in the folder is known as used once it was taken, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-codes-'));
  const left = leaveCode(folder, 1000).code;
  const codes = signInCodes(folder, () => 1000);
  expect([codes.take(left), codes.take(left), codes.take('other')]).toEqual([grant, 'used', 'unknown']);
  rmSync(folder, { recursive: true });
});
