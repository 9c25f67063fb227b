import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyWithThirdType, testThirdType } from './third-type.ts';

let folder: string;
beforeAll(async () => {
  folder = await copyWithThirdType();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('passes the tests over all types with a third type', async () => {
  const { passedTests, failedTests, untestedFiles } = await testThirdType(folder);
  expect({ failed: failedTests, without: untestedFiles }).toEqual({ failed: [], without: [] });
  expect(passedTests.length).toBeGreaterThan(300);
});
