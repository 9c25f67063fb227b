import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCodeFile } from './link-files.ts';
import { createSignInCodes } from './sign-in-codes.ts';

const grant = { name: 'owner', scopes: ['system/*.*'] };
const noFolder = 'nowhere';

test('accepts a code for an hour and calls it expired for a day', () => {
  let now = 1_000_000;
  const codes = createSignInCodes(noFolder, () => now);
  const [firstCode, secondCode] = [codes.issue(grant), codes.issue(grant)];
  now += 3_600_000 - 1;
  expect(codes.consume(firstCode.code)).toEqual(grant);
  now += 1;
  expect(codes.consume(secondCode.code)).toBe('old');
  expect(codes.consume(firstCode.code)).toBe('used');
  now += 24 * 3_600_000;
  codes.issue(grant);
  expect(codes.consume(secondCode.code)).toBe('unknown');
});

test('rejects codes of another server and similar texts as unknown', () => {
  const codes = createSignInCodes(noFolder, Date.now);
  const { code } = createSignInCodes(noFolder, Date.now).issue(grant);
  const ownCode = codes.issue(grant).code;
  for (const near of [code, ` ${ownCode}`, ownCode.slice(1), `${ownCode}=`])
    expect(codes.consume(near)).toBe('unknown');
});

test('reports a consumed code of the folder as used', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-codes-'));
  const fileCode = createCodeFile(folder, 1000).code;
  const codes = createSignInCodes(folder, () => 1000);
  expect([codes.consume(fileCode), codes.consume(fileCode), codes.consume('other')]).toEqual([
    grant,
    'used',
    'unknown',
  ]);
  rmSync(folder, { recursive: true });
});
