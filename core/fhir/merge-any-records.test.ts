/** Properties that hold for any record by the element table of R4, any edits of both sides and any choices. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge, type Choice, type Merge } from '../json/merge.ts';
import { equal, serializeNode, type JsonNode } from '../json/node.ts';
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
/** 200,000 triples take about an hour on one core. */
const longestRunMs = 4 * 60 * 60_000;
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 1000 : 200_000 };

const edits: fc.Arbitrary<TypedEdit[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...editKinds), owner: fc.nat(40), seed: fc.nat() }),
  { minLength: 1, maxLength: 4 },
);

const cases = fc
  .tuple(fc.constantFrom(...types), fc.nat(), edits, edits)
  .map(([type, seed, ourEdits, theirEdits]) => {
    const base = new RecordBuilder(createDraw(seed), 's').resource(type);
    return { base, ours: editRecord(base, ourEdits, 'm'), theirs: editRecord(base, theirEdits, 't') };
  });

interface Triple {
  readonly base: Members;
  readonly ours: Members;
  readonly theirs: Members;
}

const node = (value: Members): JsonNode => scan(JSON.stringify(value)).root;
const plain = (value: JsonNode) => JSON.parse(serializeNode(value)) as Members;
const mergeTriple = ({ base, ours, theirs }: Triple) =>
  merge(node(base), node(ours), node(theirs), resourceGrain);
const valuesOf = (record: Members) => [...wholeValues(record, resourceTypeOf(record))];

/** Chooses a side of each row, including rows that need no choice. */
function choose({ rows }: Merge, picks: readonly number[]): ReadonlyMap<number, Choice> {
  return new Map(
    rows.flatMap(({ id, choices }, index): [number, Choice][] => {
      const choice = choices[(picks[index % picks.length] ?? 0) % Math.max(choices.length, 1)];
      return choice ? [[id, choice]] : [];
    }),
  );
}

/** Asserts that no value mixes two sides: each comes from a side or the base as a whole. */
function checkOrigin({ base, ours, theirs }: Triple, mergeResult: Merge, picks: readonly number[]): void {
  const sourceValues = new Set([base, ours, theirs].flatMap(valuesOf));
  for (const choices of [undefined, choose(mergeResult, picks)]) {
    const values = valuesOf(plain(mergeResult.resolve(choices)));
    expect(values.filter((value) => !sourceValues.has(value))).toEqual([]);
  }
}

function checkSymmetry({ base, ours, theirs }: Triple, mergeResult: Merge): void {
  const mirrored = mergeTriple({ base, ours: theirs, theirs: ours });
  expect(mirrored.disjoint).toBe(mergeResult.disjoint);
  if (mergeResult.disjoint) expect(equal(mergeResult.resolve(), mirrored.resolve())).toBe(true);
}

/**
 * Asserts that choosing one side everywhere returns that side, and that every edit is in the result or in an overlap.
 */
function checkLoss(triple: Triple, mergeResult: Merge): void {
  for (const side of ['ours', 'theirs'] as const) {
    const wholeSide = mergeResult.resolve(new Map(mergeResult.rows.map(({ id }) => [id, side])));
    expect(equal(wholeSide, node(triple[side]))).toBe(true);
  }
  const scalars = scalarsOf(plain(mergeResult.resolve()));
  for (const { side, ours, theirs } of mergeResult.rows) {
    if (side !== 'overlap') continue;
    for (const value of [...ours, ...theirs])
      for (const scalar of scalarsOf(plain(value))) scalars.add(scalar);
  }
  const addedScalars = [triple.ours, triple.theirs]
    .flatMap((side) => [...scalarsOf(side)])
    .filter((scalar) => /^[mt]/.test(scalar));
  expect(addedScalars.filter((scalar) => !scalars.has(scalar))).toEqual([]);
}

// One merge serves the three checks, because the setup is most of the work.
test(
  'mixes no values, is symmetric and loses no edit',
  () => {
    let overlaps = 0;
    fc.assert(
      fc.property(cases, fc.array(fc.nat(2), { minLength: 1, maxLength: 8 }), (triple, picks) => {
        const mergeResult = mergeTriple(triple);
        if (!mergeResult.disjoint) overlaps += 1;
        checkOrigin(triple, mergeResult, picks);
        checkSymmetry(triple, mergeResult);
        checkLoss(triple, mergeResult);
      }),
      runs,
    );
    expect(overlaps).toBeGreaterThan(runs.numRuns / 50);
    expect(overlaps).toBeLessThan((runs.numRuns * 9) / 10);
  },
  longestRunMs,
);
