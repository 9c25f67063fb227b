import { expect, test } from 'vitest';
import { testChanges } from './changing-things.ts';

test('applies each change of docs/changing-things.md, passes its tests, and type-checks them all', async () => {
  const lines: string[] = [];
  await testChanges((line) => lines.push(line));
  expect(lines).toHaveLength(6);
  expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([]);
});
