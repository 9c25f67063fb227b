import { expect, test } from 'vitest';
import { JsonSyntaxError } from '../../core/json/fault.ts';
import { print } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
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
  expect(holdsSent(scan(sent).root, held)).toBe(true);
  expect(holdsSent(scan(sent.replace('1.50', '1.5')).root, held)).toBe(false);
});

test('whether the engine reads it or not, a version has the same text, value and summary', () => {
  const long =
    '"text":{"div":"<div>a</div>"},"section":[{"title":"One"}],"activity":[{"detail":{"status":"scheduled"}}]';
  const facts =
    '"resourceType":"CarePlan","id":"a","meta":{"versionId":"4"},"status":"active","intent":"plan","category":[{"text":"Wound"}],"subject":{"reference":"Patient/p"},"period":{"start":"2026-01-01"}';
  const native = toVersion({ text: `{${facts},${long},"count":1}` });
  const exact = toVersion({ text: `{${facts},${long},"count":1.0}` });
  expect(native.summary).toEqual(exact.summary);
  expect(native.summary).toMatchObject({ title: 'Wound', intent: 'plan', date: '2026-01-01', version: '4' });
  expect(exact.text).toBe(native.text.replace('"count": 1', '"count": 1.0'));
  expect(print(native.root)).toBe(`{${facts},${long},"count":1}`);
  expect(print(exact.root)).toBe(`{${facts},${long},"count":1.0}`);
});

test('what is no JSON, or too deep, is told as such at once', () => {
  expect(() => toVersion({ text: '<html>' })).toThrow(JsonSyntaxError);
  expect(() => toVersion({ text: `${'['.repeat(65)}${']'.repeat(65)}` })).toThrow('nests deeper');
});

test('a text that is no record is held by no server', () => {
  for (const text of ['[]', 'null', '"a"']) expect(holdsSent(scan(text).root, held)).toBe(false);
});
