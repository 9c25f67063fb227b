import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { compose, viewOf } from './patch-rows.ts';

const record = scan(
  '{"resourceType":"CarePlan","id":"a","status":"draft","note":[{"text":"x"}],"period":{"start":"2024"},"n":1.50}',
).root;
const row = (path: string, value: string, key = 0) => ({ key, path, value });
const problemsOf = (rows: readonly { key: number; path: string; value: string }[]) =>
  compose(rows, 'CarePlan', record).rows.map(({ problem }) => problem);

test('replaces language although the record has none', () => {
  const patch = compose([row('/language', '"en-GB"')], 'CarePlan', record);
  expect(patch).toMatchObject({ ready: true, changes: [{ pointer: '/language', after: '"en-GB"' }] });
  expect(JSON.parse(patch.body)).toEqual([{ op: 'replace', path: '/language', value: 'en-GB' }]);
});

test('keeps the digits of a number in the request', () => {
  expect(compose([row('/n', '1.00')], 'CarePlan', record).body).toContain('"value": 1.00\n');
});

test('reports the problem of each invalid row and still applies the others', () => {
  const rows = [
    row('/title', '"x"'),
    row('/status', '"active"', 1),
    row('/id', '"x"', 2),
    row('/note/3/text', '"x"', 3),
  ];
  const patch = compose(rows, 'CarePlan', record);
  expect(patch.ready).toBe(false);
  expect(patch.changes.map(({ pointer }) => pointer)).toEqual(['/status']);
  expect(problemsOf(rows)).toEqual([
    expect.stringContaining('Nothing exists at this path'),
    undefined,
    expect.stringContaining('The server sets this element'),
    expect.stringContaining('no such item'),
  ]);
});

test('rejects a server-owned path before a value is entered', () => {
  expect(problemsOf([row('/meta/versionId', '')])).toEqual([undefined]);
  expect(problemsOf([row('/id', '')])).toEqual([expect.stringContaining('The server sets this element')]);
});

test('applies operations in order', () => {
  const rows = [row('/period', '{"start":"2024","end":"2025"}'), row('/period/end', '"2026"', 1)];
  expect(compose(rows, 'CarePlan', record)).toMatchObject({
    ready: true,
    changes: [{ pointer: '/period/end', after: '"2026"' }],
  });
});

test('reports a value that does not fit the element at its row', () => {
  expect(problemsOf([row('/status', '"started"')])).toEqual([
    expect.stringContaining('This code isn’t allowed here'),
  ]);
  expect(problemsOf([row('/period/start', '"3 May"')])).toEqual([
    expect.stringContaining('date with time and zone'),
  ]);
});

test('is not ready while a row is incomplete', () => {
  expect(compose([row('', '')], 'CarePlan', record).ready).toBe(false);
  expect(compose([row('/status', '"active"'), row('/n', '', 1)], 'CarePlan', record).ready).toBe(false);
});

test('validates only the form of paths without the record', () => {
  const composePath = (path: string) => compose([row(path, '"x"')], 'CarePlan', undefined);
  expect(composePath('/title')).toMatchObject({ ready: true, changes: [] });
  expect(composePath('title').ready).toBe(false);
  expect(composePath('/id').ready).toBe(false);
});

test('returns element, current value and control of a row', () => {
  expect(viewOf(row('/status', ''), 'CarePlan', record)).toMatchObject({
    element: { type: 'code' },
    current: { value: 'draft' },
    control: 'codes',
  });
  expect(viewOf({ ...row('/status', ''), asJson: true }, 'CarePlan', record).control).toBe('json');
});
