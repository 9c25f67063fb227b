import { expect, test } from 'vitest';
import { serializeNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { restoreContent } from './record.ts';

test('returns the content of an earlier version with the current server metadata', () => {
  const earlier = scan(
    '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"1","lastUpdated":"2024-01-01T00:00:00.000Z","profile":["p"]},"n":1.00}',
  ).root;
  const record = restoreContent(earlier, { id: 'a', version: 7, lastUpdated: '2026-01-01T00:00:00.000Z' });
  expect(record && serializeNode(record)).toBe(
    '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"7","lastUpdated":"2026-01-01T00:00:00.000Z","profile":["p"]},"n":1.00}',
  );
});

test('leaves the earlier version unchanged', () => {
  const earlier = scan('{"id":"a","meta":{"versionId":"1"}}').root;
  const before = serializeNode(earlier);
  restoreContent(earlier, { id: 'a', version: 2, lastUpdated: '' });
  expect(serializeNode(earlier)).toBe(before);
});
