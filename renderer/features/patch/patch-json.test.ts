import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { composeJson, rowsOf } from './patch-json.ts';
import { bodyOf } from './patch-rows.ts';

const record = scan('{"resourceType":"CarePlan","status":"draft","n":1.50}').root;

test('converts rows to JSON and back without losing digits, escapes or incomplete operations', () => {
  const rows = [
    { key: 0, path: '/n', value: '1.00' },
    { key: 1, path: '/title', value: '"caf\\u00e9"' },
    { key: 2, path: '/status', value: '' },
    { key: 3, path: '', value: '' },
  ];
  expect(rowsOf(bodyOf(rows), 0)).toEqual({ rows });
});

test.each([
  ['{}', 'not a JSON array'],
  ['[{"op":"add","path":"/a","value":1}]', 'operation 1'],
  [
    '[{"op":"replace","path":"/a","value":1},{"op":"replace","path":"/b","value":1,"from":"/a"}]',
    'operation 2',
  ],
  ['[{"op":"replace"', 'line 1'],
])('does not show %s as rows', (json, reason) => {
  expect(rowsOf(json, 0)).toEqual({ reason: expect.stringContaining(reason) });
});

test('sends the text as written', () => {
  const json = '[ {"op":"replace", "path":"/n", "value":2.00} ]';
  expect(composeJson(json, 'CarePlan', record)).toMatchObject({
    ready: true,
    body: json,
    changes: [{ pointer: '/n', before: '1.50', after: '2.00' }],
  });
});

test('reports an array that the server would reject as not ready, with the reason', () => {
  const composeText = (json: string) => composeJson(json, 'CarePlan', record);
  expect(composeText('[{"op":"add","path":"/a","value":1}]')).toMatchObject({
    ready: false,
    problems: [expect.stringContaining('only replace is supported')],
  });
  expect(composeText('[{').problems[0]).toContain('line 1');
  expect(composeText('[]').ready).toBe(false);
});
