import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { compose, viewOf } from './patch-rows.ts';

const record = scan(
  '{"resourceType":"CarePlan","id":"a","status":"draft","note":[{"text":"x"}],"period":{"start":"2024"},"n":1.50}',
).root;
const row = (path: string, value: string, key = 0) => ({ key, path, value });
const problemsOf = (rows: readonly { key: number; path: string; value: string }[]) =>
  compose(rows, 'CarePlan', record).rows.map(({ problem }) => problem);

test('language may be replaced where the record has none', () => {
  const composed = compose([row('/language', '"en-GB"')], 'CarePlan', record);
  expect(composed).toMatchObject({ ready: true, changes: [{ pointer: '/language', after: '"en-GB"' }] });
  expect(JSON.parse(composed.body)).toEqual([{ op: 'replace', path: '/language', value: 'en-GB' }]);
});

test('digits of a typed number reach the body as they were written', () => {
  expect(compose([row('/n', '1.00')], 'CarePlan', record).body).toContain('"value": 1.00\n');
});

test('each operation that cannot be applied says why at its own row, and the others still show', () => {
  const rows = [
    row('/title', '"x"'),
    row('/status', '"active"', 1),
    row('/id', '"x"', 2),
    row('/note/3/text', '"x"', 3),
  ];
  const composed = compose(rows, 'CarePlan', record);
  expect(composed.ready).toBe(false);
  expect(composed.changes.map(({ pointer }) => pointer)).toEqual(['/status']);
  expect(problemsOf(rows)).toEqual([
    expect.stringContaining('Nothing stands at this path'),
    undefined,
    expect.stringContaining('The server sets this element'),
    expect.stringContaining('no such item'),
  ]);
});

test('a path that the server owns is refused before a value is written', () => {
  expect(problemsOf([row('/meta/versionId', '')])).toEqual([undefined]);
  expect(problemsOf([row('/id', '')])).toEqual([expect.stringContaining('The server sets this element')]);
});

test('a later operation sees what an earlier one made', () => {
  const rows = [row('/period', '{"start":"2024","end":"2025"}'), row('/period/end', '"2026"', 1)];
  expect(compose(rows, 'CarePlan', record)).toMatchObject({
    ready: true,
    changes: [{ pointer: '/period/end', after: '"2026"' }],
  });
});

test('a value that the element cannot hold is told at the row', () => {
  expect(problemsOf([row('/status', '"started"')])).toEqual([expect.stringContaining('not one of those')]);
  expect(problemsOf([row('/period/start', '"3 May"')])).toEqual([expect.stringContaining('dateTime is')]);
});

test('an unfinished row is incomplete, and nothing is ready', () => {
  expect(compose([row('', '')], 'CarePlan', record).ready).toBe(false);
  expect(compose([row('/status', '"active"'), row('/n', '', 1)], 'CarePlan', record).ready).toBe(false);
});

test('without the record the form of the paths alone is judged', () => {
  const judged = (path: string) => compose([row(path, '"x"')], 'CarePlan', undefined);
  expect(judged('/title')).toMatchObject({ ready: true, changes: [] });
  expect(judged('title').ready).toBe(false);
  expect(judged('/id').ready).toBe(false);
});

test('a row knows its element, what stands there and how its value is written', () => {
  expect(viewOf(row('/status', ''), 'CarePlan', record)).toMatchObject({
    element: { type: 'code' },
    current: { value: 'draft' },
    control: 'codes',
  });
  expect(viewOf({ ...row('/status', ''), asJson: true }, 'CarePlan', record).control).toBe('json');
});
