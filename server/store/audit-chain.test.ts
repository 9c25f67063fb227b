import { expect, test } from 'vitest';
import {
  ChainReader,
  noSeal,
  sealKey,
  sealOf,
  type ChainRow,
  type SealedRow,
  type SealKey,
} from './audit-chain.ts';

const rowOf = (seq: number, who = 'owner'): ChainRow =>
  [
    ...[seq, 1_000 + seq, who, 'read', `/fhir-r4/v1/CarePlan/${seq}`, null, null, 200, `request-${seq}`],
  ] as unknown as ChainRow;

const stored = (row: ChainRow, seal: Buffer | null) =>
  [...row, null, null, null, seal] as unknown as SealedRow;

/** Six rows in groups of two, sealed as they are written: each group with its key, where there is one. */
function written(keys: readonly (SealKey | undefined)[] = []): SealedRow[] {
  let seal: Buffer = noSeal;
  return [1, 3, 5].flatMap((seq, place): SealedRow[] => {
    const group = [rowOf(seq), rowOf(seq + 1)] as const;
    seal = sealOf(seal, group, keys[place]);
    return [stored(group[0], null), stored(group[1], seal)];
  });
}

function verdictOf(rows: readonly SealedRow[], key?: SealKey) {
  const chain = new ChainReader(key);
  chain.take(rows);
  return chain.verdict();
}

test('what is as it was written is whole', () => {
  expect(verdictOf(written())).toEqual({ entries: 6, doubts: [] });
  expect(verdictOf([])).toEqual({ entries: 0, doubts: [] });
});

test('an entry that was changed and whose group was sealed anew is found at the next seal', () => {
  const rows = written();
  const forged = [rowOf(3, 'somebody'), rowOf(4)] as const;
  const before = rows[1]?.at(-1) as Buffer;
  rows[2] = stored(forged[0], null);
  rows[3] = stored(forged[1], sealOf(before, forged));
  expect(verdictOf(rows)).toEqual({
    entries: 6,
    doubts: [],
    broken: { seq: 5, reason: expect.stringContaining('5 to 6') },
  });
});

test('the first group cannot be taken away, nor another put in front', () => {
  const rows = written();
  expect(verdictOf(rows.slice(2))).toMatchObject({ broken: { seq: 1, reason: 'it is missing' } });
  const renumbered = rows.slice(2).map(([seq, ...rest]): SealedRow => [seq - 2, ...rest]);
  expect(verdictOf(renumbered)).toMatchObject({ broken: { seq: 1 } });
});

const key = sealKey(Buffer.from('a key of the tests, long enough to be one'));
const other = sealKey(Buffer.from('another key of the tests, long enough too'));

test('a key takes over where it begins; what is sealed without it behind that, or with another, is in doubt', () => {
  expect(verdictOf(written([undefined, key, key]), key)).toEqual({ entries: 6, keyedSince: 3, doubts: [] });
  const doubts = (keys: readonly (SealKey | undefined)[], given?: SealKey) => {
    const verdict = verdictOf(written(keys), given);
    expect(verdict).toMatchObject({ entries: 6 });
    expect(verdict).not.toHaveProperty('broken');
    return verdict.doubts.map(({ seq, reason }) => `${seq}: ${reason}`);
  };
  expect(doubts([key, undefined, key], key)).toEqual([
    '3: it and what follows it are sealed without the key',
  ]);
  expect(doubts([key, other, key], key)).toEqual([
    '3: it and what follows it are sealed with another key than the one given',
  ]);
  expect(doubts([undefined, key, key])).toEqual([
    '3: it and what follows it are sealed with a key, which was not given',
  ]);
  expect(doubts([], key)).toEqual(['1: neither it nor what follows it was sealed with the key']);
});

test('a seal that was made with another key of the same name is none', () => {
  const forged = written([key, { ...other, id: key.id }, key]);
  expect(verdictOf(forged, key)).toMatchObject({ broken: { seq: 3 } });
});
