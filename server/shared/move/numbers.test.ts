import { expect, test } from 'vitest';
import { connect } from '../../sqlite/sqlite.ts';
import type { ReadableRows } from './kind.ts';
import { numbers } from './kinds.ts';

test.each([
  ['nothing', '', []],
  ['numbers that were given out', 'INSERT INTO numbering VALUES (7)', [[[7, 0]]]],
  ['numbers that were vouched for', 'INSERT INTO vouched VALUES (5)', [[[0, 5]]]],
  [
    'both, the highest of each',
    'INSERT INTO numbering VALUES (7), (9); INSERT INTO vouched VALUES (5), (4)',
    [[[9, 5]]],
  ],
])('reads and replaces the numbers of a folder with %s', async (_, rows, expected) => {
  const records = connect(':memory:');
  records.exec(`CREATE TABLE numbering (taken INTEGER); CREATE TABLE vouched (after INTEGER); ${rows}`);
  const numbersTable = numbers.openInFolder({ records, workspace: records });
  const batches = await collectBatches(numbersTable);
  expect(batches).toEqual(expected);
  // The written numbers replace others.
  records.exec('INSERT INTO numbering VALUES (99); INSERT INTO vouched VALUES (99)');
  numbersTable.write(batches.flat());
  expect(await collectBatches(numbersTable)).toEqual(expected);
  records.close();
});

async function collectBatches<Row>(numbersTable: ReadableRows<Row>): Promise<(readonly Row[])[]> {
  const batches: (readonly Row[])[] = [];
  for await (const rows of numbersTable.read()) batches.push(rows);
  return batches;
}
