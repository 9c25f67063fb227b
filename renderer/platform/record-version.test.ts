import { expect, test } from 'vitest';
import { JsonSyntaxError } from '../../core/json/json-problem.ts';
import { serializeNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { holdsSent, toVersion } from './record-version.ts';

const serverVersion = toVersion({
  text: '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"4","lastUpdated":"2026-01-01T00:00:00.000Z"},"n":1.50}',
});

test('reads the version from the ETag, otherwise from meta.versionId', () => {
  expect(serverVersion.version).toBe(4);
  expect(toVersion({ text: '{"meta":{"versionId":"4"}}', version: 5 }).version).toBe(5);
  expect(toVersion({ text: '{"meta":{"versionId":"abc"}}' }).version).toBeUndefined();
});

test('recognizes a saved value with newer server metadata', () => {
  const sentText = '{"resourceType":"CarePlan","id":"a","meta":{"versionId":"3"},"n":1.50}';
  expect(holdsSent(scan(sentText).root, serverVersion)).toBe(true);
  expect(holdsSent(scan(sentText.replace('1.50', '1.5')).root, serverVersion)).toBe(false);
});

test('parses the same text, value and summary natively and exactly', () => {
  const longMembers =
    '"text":{"div":"<div>a</div>"},"section":[{"title":"One"}],"activity":[{"detail":{"status":"scheduled"}}]';
  const summaryMembers =
    '"resourceType":"CarePlan","id":"a","meta":{"versionId":"4"},"status":"active","intent":"plan","category":[{"text":"Wound"}],"subject":{"reference":"Patient/p"},"period":{"start":"2026-01-01"}';
  const nativeVersion = toVersion({ text: `{${summaryMembers},${longMembers},"count":1}` });
  const exactVersion = toVersion({ text: `{${summaryMembers},${longMembers},"count":1.0}` });
  expect(nativeVersion.summary).toEqual(exactVersion.summary);
  expect(nativeVersion.summary).toMatchObject({
    title: 'Wound',
    intent: 'plan',
    date: '2026-01-01',
    version: '4',
  });
  expect(exactVersion.text).toBe(nativeVersion.text.replace('"count": 1', '"count": 1.0'));
  expect(serializeNode(nativeVersion.root)).toBe(`{${summaryMembers},${longMembers},"count":1}`);
  expect(serializeNode(exactVersion.root)).toBe(`{${summaryMembers},${longMembers},"count":1.0}`);
});

test('throws for text that is not JSON or nested too deep', () => {
  expect(() => toVersion({ text: '<html>' })).toThrow(JsonSyntaxError);
  expect(() => toVersion({ text: `${'['.repeat(65)}${']'.repeat(65)}` })).toThrow('nested deeper');
});

test('returns false for a text that is not a record', () => {
  for (const text of ['[]', 'null', '"a"']) expect(holdsSent(scan(text).root, serverVersion)).toBe(false);
});
