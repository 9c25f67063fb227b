import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyWithThirdType, tryThirdType } from './third-type.ts';

let folder: string;
beforeAll(async () => {
  folder = await copyWithThirdType();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a third type is one file: it passes what is written over all types', async () => {
  const { passed, failed, without } = await tryThirdType(folder);
  expect({ failed, without }).toEqual({ failed: [], without: [] });
  expect(passed.length).toBeGreaterThan(300);
});
