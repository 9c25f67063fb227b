import { expect, test } from 'vitest';
import { text } from '../../ui/text.ts';
import { ImportLog } from './import-log.ts';

const at = (file: string, source = file) => ({ file, source });

function createLog(): ImportLog {
  const log = new ImportLog();
  log.add(at('a.ndjson'), { place: 1, result: 'stored', record: 'CarePlan/17', issues: 2 });
  log.add(at('a.ndjson'), {
    place: 3,
    result: 'refused',
    reason: 'The code is "wrong", twice.',
    storable: true,
  });
  log.add(at('b.json'), { result: 'refused', reason: '=1+1' });
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
  expect(log.storableEntries()).toEqual(new Map([['a.ndjson', new Set([1])]]));
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
  for (const name of names) log.add(at(name), { result: 'stored' });
  expect(log.folder).toBe(folder);
});

test('escapes quotes and disarms formulas in CSV', () => {
  expect([...createLog().csv('refused')].join('')).toBe(
    'file,line,result,reason\r\na.ndjson,3,refused,"The code is ""wrong"", twice."\r\nb.json,,refused,\'=1+1\r\n',
  );
});

test('counts skipped files by extension and shows paths inside of them', () => {
  const log = new ImportLog();
  const skipped = { result: 'skipped', reason: 'The file is not JSON, NDJSON or XML.' } as const;
  for (const name of ['w.zip/a.PDF', 'w.zip/b.pdf', 'w.zip/notes'])
    log.add(at(name, 'w.zip'), { ...skipped, messageCode: 'import.otherFile' });
  const path = 'entry[0].resource.entry[1].resource';
  log.add(at('w.zip/c.json', 'w.zip'), { place: 1, path, result: 'refused', storable: true });
  log.add(at('d.ndjson'), { place: 4, result: 'skipped', reason: 'OperationOutcome' });
  expect(log.skippedFiles.describe()?.text).toBe('Skipped 3 files: without an extension 1, .pdf 2.');
  expect(log.storableEntries()).toEqual(new Map([['w.zip', new Set([3])]]));
  expect(log.row('refused', 0)).toMatchObject({ file: 'w.zip/c.json', path });
  expect(log.row('skipped', 3)?.reason).toBe(text.data.import.otherType('OperationOutcome'));
  expect([...log.csv('refused')].join('')).toContain(`w.zip/c.json,${path},refused,`);
});
