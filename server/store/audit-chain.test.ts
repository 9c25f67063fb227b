import { expect, test } from 'vitest';
import {
  ChainReader,
  initialSeal,
  sealKey,
  sealOf,
  type ChainRow,
  type SealedRow,
  type SealKey,
} from './audit-chain.ts';

const rowOf = (seq: number, actor = 'owner'): ChainRow =>
  [
    seq,
    1_000 + seq,
    actor,
    'read',
    `/fhir-r4/v1/CarePlan/${seq}`,
    null,
    null,
    200,
    `request-${seq}`,
  ] as unknown as ChainRow;

const createStoredRow = (row: ChainRow, seal: Buffer | null) =>
  [...row, null, null, null, seal] as unknown as SealedRow;

/** Creates six rows in sealed groups of two, each group with its key, if there is one. */
function createChain(keys: readonly (SealKey | undefined)[] = []): SealedRow[] {
  let seal: Buffer = initialSeal;
  return [1, 3, 5].flatMap((seq, index): SealedRow[] => {
    const group = [rowOf(seq), rowOf(seq + 1)] as const;
    seal = sealOf(seal, group, keys[index]);
    return [createStoredRow(group[0], null), createStoredRow(group[1], seal)];
  });
}

function verdictOf(rows: readonly SealedRow[], key?: SealKey) {
  const chain = new ChainReader(key);
  chain.take(rows);
  return chain.verdict();
}

test('accepts an unchanged chain', () => {
  expect(verdictOf(createChain())).toEqual({ entries: 6, doubts: [] });
  expect(verdictOf([])).toEqual({ entries: 0, doubts: [] });
});

test('finds a changed entry with a forged seal at the next seal', () => {
  const rows = createChain();
  const forgedRows = [rowOf(3, 'somebody'), rowOf(4)] as const;
  const previousSeal = rows[1]?.at(-1) as Buffer;
  rows[2] = createStoredRow(forgedRows[0], null);
  rows[3] = createStoredRow(forgedRows[1], sealOf(previousSeal, forgedRows));
  expect(verdictOf(rows)).toEqual({
    entries: 6,
    doubts: [],
    broken: { seq: 5, reason: expect.stringContaining('5 to 6') },
  });
});

test('detects a removed or replaced first group', () => {
  const rows = createChain();
  expect(verdictOf(rows.slice(2))).toMatchObject({ broken: { seq: 1, reason: 'it is missing' } });
  const renumbered = rows.slice(2).map(([seq, ...furtherCells]): SealedRow => [seq - 2, ...furtherCells]);
  expect(verdictOf(renumbered)).toMatchObject({ broken: { seq: 1 } });
});

const key = sealKey(Buffer.from('a key of the tests, long enough to be one'));
const otherKey = sealKey(Buffer.from('another key of the tests, long enough too'));

test('reports entries after the first keyed seal that have another seal or none', () => {
  expect(verdictOf(createChain([undefined, key, key]), key)).toEqual({
    entries: 6,
    keyedSince: 3,
    doubts: [],
  });
  const doubts = (keys: readonly (SealKey | undefined)[], readerKey?: SealKey) => {
    const verdict = verdictOf(createChain(keys), readerKey);
    expect(verdict).toMatchObject({ entries: 6 });
    expect(verdict).not.toHaveProperty('broken');
    return verdict.doubts.map(({ seq, reason }) => `${seq}: ${reason}`);
  };
  expect(doubts([key, undefined, key], key)).toEqual([
    '3: it and all later entries are sealed without the key',
  ]);
  expect(doubts([key, otherKey, key], key)).toEqual([
    '3: it and all later entries are sealed with a different key',
  ]);
  expect(doubts([undefined, key, key])).toEqual([
    '3: it and all later entries are sealed with a key that was not given',
  ]);
  expect(doubts([], key)).toEqual(['1: it and all later entries were not sealed with this key']);
});

test('rejects a seal of another key with the same id', () => {
  const forgedChain = createChain([key, { ...otherKey, id: key.id }, key]);
  expect(verdictOf(forgedChain, key)).toMatchObject({ broken: { seq: 3 } });
});
