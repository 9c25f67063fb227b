import { expect, test } from 'vitest';
import { ImportLog } from './import-log.ts';

function createLog(): ImportLog {
  const log = new ImportLog();
  log.add('a.ndjson', { place: 1, result: 'stored', record: 'CarePlan/17', issues: 2 });
  log.add('a.ndjson', { place: 3, result: 'refused', reason: 'The code is "wrong", twice.', storable: true });
  log.add('b.json', { result: 'refused', reason: '=1+1' });
  return log;
}

test('returns rows of all results, rejected rows first, and rows of one result', () => {
  const log = createLog();
  expect(log.count('all')).toBe(3);
  expect(log.row('all', 0)).toMatchObject({ place: 3, result: 'refused' });
  expect(log.row('all', 2)).toEqual({ file: 'a.ndjson', place: 1, result: 'stored', record: 'CarePlan/17' });
  expect(log.row('all', 3)).toBeUndefined();
  expect(log.count('refused')).toBe(2);
  expect(log.row('refused', 1)).toEqual({ file: 'b.json', result: 'refused', reason: '=1+1' });
  expect(log.row('skipped', 0)).toBeUndefined();
});

test('counts stored and flagged records and lists rejected records that can be stored', () => {
  const log = createLog();
  expect([log.countStored('CarePlan'), log.countStored('Composition'), log.flaggedCount]).toEqual([1, 0, 1]);
  expect(log.storableCount).toBe(1);
  expect(log.storablePlaces()).toEqual(new Map([['a.ndjson', new Set([3])]]));
  log.extend({ first: '2026-01-02', last: '2026-01-03' });
  log.extend(undefined);
  log.extend({ first: '2026-01-01', last: '2026-01-02' });
  expect(log.span).toEqual({ first: '2026-01-01', last: '2026-01-03' });
});

test.each([
  [['data/plans/a.json', 'data/plans/b.json'], 'data/plans/'],
  [['data/plans/a.json', 'data/other/b.json'], 'data/'],
  [['a.json', 'data/b.json'], ''],
])('returns the common folder of %j: %j', (names, folder) => {
  const log = new ImportLog();
  for (const name of names) log.add(name, { result: 'stored' });
  expect(log.folder).toBe(folder);
});

test('escapes quotes and disarms formulas in CSV', () => {
  expect([...createLog().csv('refused')].join('')).toBe(
    'file,line,result,reason\r\na.ndjson,3,refused,"The code is ""wrong"", twice."\r\nb.json,,refused,\'=1+1\r\n',
  );
});
