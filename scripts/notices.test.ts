import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { isAllowed, shippedPackages, writeNotices } from './notices.ts';

const shipped = shippedPackages();

test('what ships is every dependency with all that it needs, and no tool', () => {
  const names = shipped.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  expect(names).toContain('scheduler');
  for (const tool of ['electron', 'vite', 'typescript', 'eslint', '@playwright/test']) {
    expect(names).not.toContain(tool);
  }
});

test('every licence of what ships is on the list of those that may', () => {
  expect(shipped.filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test.each(['GPL-3.0', 'AGPL-3.0-only', 'MPL-2.0', 'UNLICENSED', 'SEE LICENSE IN x', '', 'MIT AND GPL-2.0'])(
  '%j may not',
  (license) => {
    expect(isAllowed(license)).toBe(false);
  },
);

test.each(['MIT', '(MPL-2.0 OR Apache-2.0)', '(MIT AND Zlib)', 'GPL-2.0 OR MIT'])('%j may', (license) => {
  expect(isAllowed(license)).toBe(true);
});

test('the notices name each package with its version, and hold its licence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-notices-'));
  const file = join(folder, 'notices.txt');
  writeNotices(file);
  const text = readFileSync(file, 'utf8');
  for (const { name, version, license } of shipped) expect(text).toContain(`${name} ${version} (${license})`);
  expect(text).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
  await rm(folder, { recursive: true });
});
