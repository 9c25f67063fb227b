import { rmSync, statSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { root } from './bundles.ts';
import { makeMemoryFolder } from './memory-folder.ts';

const folder = makeMemoryFolder();
afterAll(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

test('creates no folder in memory on a disk or in a missing folder', () => {
  expect(makeMemoryFolder(root)).toBeUndefined();
  expect(makeMemoryFolder('/nowhere')).toBeUndefined();
});

test.skipIf(folder === undefined)('lets any user write to the folder (not run without enough memory)', () => {
  expect(statSync(String(folder)).mode & 0o7777).toBe(0o1777);
});
