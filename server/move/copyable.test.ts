import { expect, test } from 'vitest';
import { copyable, type End } from './copyable.ts';
import type { Kind } from './kind.ts';

/** Letters in their order, each with a number. */
type Row = readonly [letter: string, number: number];
const letters: Kind<Row> = {
  name: 'letters',
  placeOf: ([letter]) => [letter],
  nameOf: ([letter]) => letter,
  told: (row) => row,
  folder: () => expect.fail(),
  database: () => expect.fail(),
};

/** A store of `a1 b2`; every row is a batch. */
function storeOf(rows: string): End {
  const read = rows.split(' ').map((row): readonly Row[] => [[row.charAt(0), Number(row.slice(1))]]);
  return { halfOf: () => ({ read: () => read as never }) };
}

async function compared(from: string, to: string) {
  const told: string[] = [];
  let rows = 0;
  const { digest, counts } = await copyable(letters).compare(storeOf(from), storeOf(to), {
    differs: (name) => void told.push(name),
    damaged: () => expect.fail(),
    done: (more) => (rows += more),
  });
  return { told, rows, digest: digest.toString('hex'), counts: Object.fromEntries(counts) };
}

test.each([
  ['a1 b2 c3', 'a1 b2 c3', []],
  ['a1 b2 c3', 'a1 c3', ['b: it is not there']],
  ['a1 b2 c3', 'b2 c3', ['a: it is not there']],
  ['a1 b2 c3', 'a1', ['b: it is not there', 'c: it is not there']],
  ['a1 c3', 'a1 b2 c3', ['b: the source does not have it']],
  ['a1', 'a1 b2 c3', ['b: the source does not have it', 'c: the source does not have it']],
  ['a1 b2', 'a1 b3', ['b: it is another']],
])('of %s and %s are told', async (from, to, told) => {
  expect(await compared(from, to)).toMatchObject({ told, rows: from.split(' ').length });
});

test('the digest is that of the rows, and their count stands beside it', async () => {
  const [one, same, other] = [
    await compared('a1 b2', 'a1 b2'),
    await compared('a1 b2', 'a1'),
    await compared('a1 b3', 'a1 b2'),
  ];
  expect(one.counts).toEqual({ letters: 2 });
  expect([same.digest, other.digest === one.digest]).toEqual([one.digest, false]);
});
