/** Properties of merges for any base and any edits of both sides. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { merge, type Choice, type MergeRow } from './merge.ts';
import { equal, serializeNode, type JsonNode } from './node.ts';
import { scan } from './scan.ts';
import { isSimilar } from './similarity.ts';
import { applyEdits, arbitraryEdits, scalarsOf, arbitraryObject, type Json } from './testing/edits.ts';

const node = (value: Json): JsonNode => scan(JSON.stringify(value)).root;
const plain = (jsonNode: JsonNode): Json => JSON.parse(serializeNode(jsonNode)) as Json;
const cases = fc
  .tuple(arbitraryObject, arbitraryEdits, arbitraryEdits)
  .map(([base, ourEdits, theirEdits]) => ({
    base,
    ours: applyEdits(base, ourEdits, 'm'),
    theirs: applyEdits(base, theirEdits, 't'),
  }));
const mergeCase = ({ base, ours, theirs }: { base: Json; ours: Json; theirs: Json }) =>
  merge(node(base), node(ours), node(theirs));
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 2000 : 50_000 };

test('takes the other side if one side changed nothing', () => {
  fc.assert(
    fc.property(cases, ({ base, ours }) => {
      const leftMerge = merge(node(base), node(ours), node(base));
      const rightMerge = merge(node(base), node(base), node(ours));
      expect([leftMerge.disjoint, rightMerge.disjoint]).toEqual([true, true]);
      expect(equal(leftMerge.resolve(), node(ours)) && equal(rightMerge.resolve(), node(ours))).toBe(true);
    }),
    runs,
  );
});

test('returns one side if all choices are for it, except for equal changes', () => {
  fc.assert(
    fc.property(cases, (sample) => {
      const resolveAll = (choice: Choice) => {
        const { rows, resolve } = mergeCase(sample);
        return resolve(new Map(rows.map(({ id }) => [id, choice])));
      };
      expect(equal(resolveAll('ours'), node(sample.ours))).toBe(true);
      expect(equal(resolveAll('theirs'), node(sample.theirs))).toBe(true);
    }),
    runs,
  );
});

test('is symmetric', () => {
  fc.assert(
    fc.property(cases, ({ base, ours, theirs }) => {
      const mergeResult = mergeCase({ base, ours, theirs });
      const mirroredResult = mergeCase({ base, ours: theirs, theirs: ours });
      expect(mirroredResult.disjoint).toBe(mergeResult.disjoint);
      if (mergeResult.disjoint) expect(equal(mergeResult.resolve(), mirroredResult.resolve())).toBe(true);
    }),
    runs,
  );
});

test('keeps additions of both sides in the result or in an overlap', () => {
  fc.assert(
    fc.property(cases, (sample) => {
      const result = mergeCase(sample);
      const keptScalars = scalarsOf(plain(result.resolve()));
      for (const { side, ours, theirs } of result.rows) {
        if (side !== 'overlap') continue;
        for (const rowNode of [...ours, ...theirs])
          for (const scalar of scalarsOf(plain(rowNode))) keptScalars.add(scalar);
      }
      for (const scalar of [...scalarsOf(sample.ours), ...scalarsOf(sample.theirs)]) {
        if (/^[mt]/.test(scalar)) expect(keptScalars).toContain(scalar);
      }
    }),
    runs,
  );
});

/** Returns the nodes that a row adds or may add to the result. */
function listPossibleNodes({ side, base, ours, theirs }: MergeRow): readonly JsonNode[] {
  if (side === 'overlap') return [...base, ...ours, ...theirs];
  return side === 'theirs' ? theirs : ours;
}

test('drops removals of both sides, except in an overlap', () => {
  fc.assert(
    fc.property(cases, (sample) => {
      const result = mergeCase(sample);
      // An item that was changed and moved counts as removed and added.
      const inDoubt = new Set(
        result.rows.flatMap((row) =>
          listPossibleNodes(row).flatMap((rowNode) => [...scalarsOf(plain(rowNode))]),
        ),
      );
      const [ours, theirs] = [scalarsOf(sample.ours), scalarsOf(sample.theirs)];
      const keptScalars = scalarsOf(plain(result.resolve()));
      for (const scalar of scalarsOf(sample.base)) {
        if (ours.has(scalar) && theirs.has(scalar)) continue;
        if (!inDoubt.has(scalar)) expect(keptScalars).not.toContain(scalar);
      }
    }),
    runs,
  );
});

test('keeps elements that both sides kept, for any choices', () => {
  // Our side changed and moved an item into an element that their side changed.
  const plan = { a: { c: 's0', a: 's1' } };
  const movedExample = {
    base: { p: [{ a: {} }, plan, 's2', { c: [], a: {} }] },
    ours: { p: [{ a: {} }, 's2', { c: 'm1', a: {} }, { a: { c: 'm0', a: 's1' } }] },
    theirs: { p: [{ a: {} }, plan, 's2', { c: 't0', a: {} }] },
  };
  fc.assert(
    fc.property(cases, fc.array(fc.boolean(), { maxLength: 12 }), (sample, picks) => {
      const { rows, resolve } = mergeCase(sample);
      const choices = rows
        .filter(({ side }) => side === 'overlap')
        .map(({ id }, index): [number, Choice] => [id, picks[index] ? 'ours' : 'theirs']);
      const keptScalars = scalarsOf(plain(resolve(new Map(choices))));
      // A moved and changed item counts as removed and added, and an overlap may contain the added one. The
      // same is true for an item without a similar one on a side.
      const isLeft = (item: JsonNode, side: 'ours' | 'theirs') =>
        rows.some((row) => row[side].some((sideNode) => isSimilar(item, sideNode)));
      const removedScalars = new Set(
        rows.flatMap(({ side, base }) =>
          base
            .filter((item) => side !== 'overlap' || !isLeft(item, 'ours') || !isLeft(item, 'theirs'))
            .flatMap((item) => [...scalarsOf(plain(item))]),
        ),
      );
      const [ours, theirs] = [scalarsOf(sample.ours), scalarsOf(sample.theirs)];
      for (const scalar of scalarsOf(sample.base)) {
        if (ours.has(scalar) && theirs.has(scalar) && !removedScalars.has(scalar))
          expect(keptScalars).toContain(scalar);
      }
    }),
    { ...runs, examples: [[movedExample, []]] },
  );
});
