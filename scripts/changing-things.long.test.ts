import { expect, test } from 'vitest';
import { walk } from './changing-things.ts';

test('each change of docs/changing-things.md passes the tests that it names, and all of them the types', async () => {
  const told: string[] = [];
  await walk((line) => told.push(line));
  expect(told).toHaveLength(6);
  expect(told.filter((line) => !line.startsWith('ok'))).toEqual([]);
});
