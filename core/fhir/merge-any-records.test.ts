/** Holds for any record by the element table of R4, any edits of both sides and any choices. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equal } from '../json/equal.ts';
import { merge, type Choice, type Merge } from '../json/merge.ts';
import type { JsonNode } from '../json/node.ts';
import { print } from '../json/print.ts';
import { scan } from '../json/scan.ts';
import { scalarsOf, type Members } from '../json/testing/edits.ts';
import { resourceGrain } from './merge-grain.ts';
import {
  createDraw,
  editKinds,
  editRecord,
  RecordBuilder,
  resourceTypeOf,
  type TypedEdit,
} from './testing/typed-records.ts';
import { wholeValues } from './testing/whole-values.ts';

const types = ['CarePlan', 'Composition'];
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 1000 : 200_000 };

const edits: fc.Arbitrary<TypedEdit[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...editKinds), owner: fc.nat(40), seed: fc.nat() }),
  { minLength: 1, maxLength: 4 },
);

const cases = fc.tuple(fc.constantFrom(...types), fc.nat(), edits, edits).map(([type, seed, left, right]) => {
  const base = new RecordBuilder(createDraw(seed), 's').resource(type);
  return { base, mine: editRecord(base, left, 'm'), theirs: editRecord(base, right, 't') };
});

interface Triple {
  readonly base: Members;
  readonly mine: Members;
  readonly theirs: Members;
}

const node = (value: Members): JsonNode => scan(JSON.stringify(value)).root;
const plain = (value: JsonNode) => JSON.parse(print(value)) as Members;
const mergeTriple = ({ base, mine, theirs }: Triple) =>
  merge(node(base), node(mine), node(theirs), resourceGrain);
const valuesOf = (record: Members) => [...wholeValues(record, resourceTypeOf(record))];

/** Chooses a side of each row, of rows that need no choice too. */
function choose({ rows }: Merge, picks: readonly number[]): ReadonlyMap<number, Choice> {
  return new Map(
    rows.flatMap(({ id, choices }, index): [number, Choice][] => {
      const choice = choices[(picks[index % picks.length] ?? 0) % Math.max(choices.length, 1)];
      return choice ? [[id, choice]] : [];
    }),
  );
}

test('makes no value that neither a side nor the base wrote, whatever is chosen', () => {
  let overlaps = 0;
  fc.assert(
    fc.property(cases, fc.array(fc.nat(2), { minLength: 1, maxLength: 8 }), (triple, picks) => {
      const merged = mergeTriple(triple);
      if (!merged.disjoint) overlaps += 1;
      const written = new Set([triple.base, triple.mine, triple.theirs].flatMap(valuesOf));
      for (const choices of [undefined, choose(merged, picks)]) {
        const made = valuesOf(plain(merged.resolve(choices)));
        expect(made.filter((value) => !written.has(value))).toEqual([]);
      }
    }),
    runs,
  );
  expect(overlaps).toBeGreaterThan(runs.numRuns / 50);
  expect(overlaps).toBeLessThan((runs.numRuns * 9) / 10);
});

test('is symmetric', () => {
  fc.assert(
    fc.property(cases, ({ base, mine, theirs }) => {
      const one = mergeTriple({ base, mine, theirs });
      const other = mergeTriple({ base, mine: theirs, theirs: mine });
      expect(other.disjoint).toBe(one.disjoint);
      if (one.disjoint) expect(equal(one.resolve(), other.resolve())).toBe(true);
    }),
    runs,
  );
});

test('loses nothing: all of one side is that side, and what a side wrote is in the result or in an overlap', () => {
  fc.assert(
    fc.property(cases, (triple) => {
      const merged = mergeTriple(triple);
      for (const side of ['mine', 'theirs'] as const) {
        const all = merged.resolve(new Map(merged.rows.map(({ id }) => [id, side])));
        expect(equal(all, node(triple[side]))).toBe(true);
      }
      const kept = scalarsOf(plain(merged.resolve()));
      for (const { by, mine, theirs } of merged.rows) {
        if (by !== 'overlap') continue;
        for (const value of [...mine, ...theirs])
          for (const scalar of scalarsOf(plain(value))) kept.add(scalar);
      }
      const added = [triple.mine, triple.theirs]
        .flatMap((side) => [...scalarsOf(side)])
        .filter((one) => /^[mt]/.test(one));
      expect(added.filter((scalar) => !kept.has(scalar))).toEqual([]);
    }),
    runs,
  );
});
