import { expect, test } from 'vitest';
import { holdsSent, toVersion } from './record-version.ts';

const held = toVersion({
  text: '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"4","lastUpdated":"2026-01-01T00:00:00.000Z"},"n":1.50}',
});

test('the version comes from the ETag, else from meta.versionId', () => {
  expect(held.version).toBe(4);
  expect(toVersion({ text: '{"meta":{"versionId":"4"}}', version: 5 }).version).toBe(5);
  expect(toVersion({ text: '{"meta":{"versionId":"abc"}}' }).version).toBeUndefined();
});

test('a save without an answer arrived if the server holds the sent value under a newer stamp', () => {
  const sent = '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"3"},"n":1.50}';
  expect(holdsSent(sent, held)).toBe(true);
  expect(holdsSent(sent.replace('1.50', '1.5'), held)).toBe(false);
});
