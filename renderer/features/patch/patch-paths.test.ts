import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { pathsOf, suggestPaths, treeRows } from './patch-paths.ts';

const record = scan('{"id":"a","status":"draft","note":[{"text":"x"}],"n":1.50}').root;

test('suggests paths of the record without server-owned elements, best first', () => {
  const paths = pathsOf(record);
  expect(paths).toEqual(['/language', '/status', '/note', '/note/0', '/note/0/text', '/n']);
  expect(suggestPaths(paths, '/n', 'CarePlan')).toEqual(['/note', '/note/0', '/note/0/text', '/n']);
  expect(suggestPaths(paths, 'text', 'CarePlan')).toEqual(['/note/0/text']);
  expect(suggestPaths(paths, 'CarePlan.note[0].t', 'CarePlan')).toEqual(['/note/0/text']);
  expect(suggestPaths(paths, 'note[0]', 'CarePlan')).toEqual(['/note/0', '/note/0/text']);
});

test('shows open branches, and language although the record has none', () => {
  const listRows = (...open: string[]) =>
    treeRows(record, new Set(open)).map(({ path, depth, name }) => `${depth} ${name} ${path}`);
  expect(listRows()).toEqual([
    '0 id /id',
    '0 status /status',
    '0 note /note',
    '0 n /n',
    '0 language /language',
  ]);
  expect(listRows('/note', '/note/0')).toContain('1 [0] /note/0');
  expect(listRows('/note', '/note/0')).toContain('2 text /note/0/text');
});

test('offers no expansion of empty elements', () => {
  const rows = treeRows(scan('{"language":"en","a":{},"b":[],"c":["x"]}').root, new Set(['/a', '/b']));
  expect(rows.map(({ path, expandable, expanded }) => [path, expandable, expanded])).toEqual([
    ['/language', false, false],
    ['/a', false, false],
    ['/b', false, false],
    ['/c', true, false],
  ]);
});
