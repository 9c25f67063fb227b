import { expect, test } from 'vitest';
import { ImportLog } from './import-log.ts';

function filled(): ImportLog {
  const log = new ImportLog();
  log.add('a.ndjson', { place: 1, result: 'stored' });
  log.add('a.ndjson', { place: 3, result: 'refused', reason: 'The code is "wrong", twice.' });
  log.add('b.json', { result: 'refused', reason: '=1+1' });
  return log;
}

test('rows are found among all and among those of one result', () => {
  const log = filled();
  expect(log.count('all')).toBe(3);
  expect(log.row('all', 0)).toEqual({ file: 'a.ndjson', place: 1, result: 'stored' });
  expect(log.count('refused')).toBe(2);
  expect(log.row('refused', 1)).toEqual({ file: 'b.json', result: 'refused', reason: '=1+1' });
  expect(log.row('skipped', 0)).toBeUndefined();
});

test('the outcome as CSV keeps quotes and disarms formulas', () => {
  expect([...filled().csv('refused')].join('')).toBe(
    'file,line,result,reason\r\na.ndjson,3,refused,"The code is ""wrong"", twice."\r\nb.json,,refused,\'=1+1\r\n',
  );
});
