import { rmSync, statSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { root } from './bundles.ts';
import { makeMemoryFolder } from './memory-folder.ts';

const folder = makeMemoryFolder();
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

test('a folder on a disk is no folder in memory, nor is one that is not there', () => {
  expect(makeMemoryFolder(root)).toBeUndefined();
  expect(makeMemoryFolder('/nowhere')).toBeUndefined();
});

test.skipIf(folder === undefined)('any user may write to it (not run where memory has no room)', () => {
  expect(statSync(String(folder)).mode & 0o7777).toBe(0o1777);
});
