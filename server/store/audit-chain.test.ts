import { expect, test } from 'vitest';
import { ChainReader, noSeal, sealOf, type ChainRow, type SealedRow } from './audit-chain.ts';

const rowOf = (seq: number, who = 'owner'): ChainRow =>
  [
    ...[seq, 1_000 + seq, who, 'read', `/fhir-r4/v1/CarePlan/${seq}`, null, null, 200, `request-${seq}`],
  ] as unknown as ChainRow;

const stored = (row: ChainRow, seal: Buffer | null) => [...row, null, seal] as unknown as SealedRow;

/** Six rows in groups of two, sealed as they are written. */
function written(): SealedRow[] {
  let seal: Buffer = noSeal;
  return [1, 3, 5].flatMap((seq): SealedRow[] => {
    const group = [rowOf(seq), rowOf(seq + 1)] as const;
    seal = sealOf(seal, group);
    return [stored(group[0], null), stored(group[1], seal)];
  });
}

function verdictOf(rows: readonly SealedRow[]) {
  const chain = new ChainReader();
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
