import { expect, test } from 'vitest';
import { createTableMover, type End } from './table-mover.ts';
import type { MovedTable } from './kind.ts';

/** Letters in order, each with a number. */
type Row = readonly [letter: string, number: number];
const letters: MovedTable<Row> = {
  name: 'letters',
  keyOf: ([letter]) => [letter],
  nameOf: ([letter]) => letter,
  listCells: (row) => row,
  openInFolder: () => expect.fail(),
  openInDatabase: () => expect.fail(),
};

/** Creates a store from `a1 b2`. Every row is a batch. */
function storeOf(rows: string): End {
  const batches = rows.split(' ').map((row): readonly Row[] => [[row.charAt(0), Number(row.slice(1))]]);
  return { getTable: () => ({ read: () => batches as never }) };
}

async function compareStores(from: string, to: string) {
  const differences: string[] = [];
  let rows = 0;
  const { digest, counts } = await createTableMover(letters).compare(storeOf(from), storeOf(to), {
    differs: (name) => void differences.push(name),
    reportDamage: () => expect.fail(),
    done: (addedRows) => (rows += addedRows),
  });
  return { told: differences, rows, digest: digest.toString('hex'), counts: Object.fromEntries(counts) };
}

test.each([
  ['a1 b2 c3', 'a1 b2 c3', []],
  ['a1 b2 c3', 'a1 c3', ['b: missing in the destination']],
  ['a1 b2 c3', 'b2 c3', ['a: missing in the destination']],
  ['a1 b2 c3', 'a1', ['b: missing in the destination', 'c: missing in the destination']],
  ['a1 c3', 'a1 b2 c3', ['b: missing in the source']],
  ['a1', 'a1 b2 c3', ['b: missing in the source', 'c: missing in the source']],
  ['a1 b2', 'a1 b3', ['b: different content']],
])('compares %s with %s', async (from, to, differences) => {
  expect(await compareStores(from, to)).toMatchObject({ told: differences, rows: from.split(' ').length });
});

test('returns the digest and the number of the rows', async () => {
  const [equalStores, missingRow, changedRow] = [
    await compareStores('a1 b2', 'a1 b2'),
    await compareStores('a1 b2', 'a1'),
    await compareStores('a1 b3', 'a1 b2'),
  ];
  expect(equalStores.counts).toEqual({ letters: 2 });
  expect([missingRow.digest, changedRow.digest === equalStores.digest]).toEqual([equalStores.digest, false]);
});
