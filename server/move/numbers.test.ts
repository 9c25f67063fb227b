import { expect, test } from 'vitest';
import { connect } from '../store/sqlite/sqlite.ts';
import type { Readable } from './kind.ts';
import { numbers } from './numbers.ts';

test.each([
  ['nothing', '', []],
  ['numbers that were given out', 'INSERT INTO numbering VALUES (7)', [[[7, 0]]]],
  ['numbers that were vouched for', 'INSERT INTO vouched VALUES (5)', [[[0, 5]]]],
  [
    'both, the highest of each',
    'INSERT INTO numbering VALUES (7), (9); INSERT INTO vouched VALUES (5), (4)',
    [[[9, 5]]],
  ],
])('a folder with %s', async (_, rows, expected) => {
  const records = connect(':memory:');
  records.exec(`CREATE TABLE numbering (taken INTEGER); CREATE TABLE vouched (after INTEGER); ${rows}`);
  const half = numbers.folder({ records, workspace: records });
  const read = await all(half);
  expect(read).toEqual(expected);
  // Written where others stood, it is read again.
  records.exec('INSERT INTO numbering VALUES (99); INSERT INTO vouched VALUES (99)');
  half.write(read.flat());
  expect(await all(half)).toEqual(expected);
  records.close();
});

async function all<Row>(half: Readable<Row>): Promise<(readonly Row[])[]> {
  const found: (readonly Row[])[] = [];
  for await (const rows of half.read()) found.push(rows);
  return found;
}
