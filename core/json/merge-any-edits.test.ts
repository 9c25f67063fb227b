/** What holds for any base and any edits of both sides. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equal } from './equal.ts';
import { merge, type Choice, type MergeRow } from './merge.ts';
import type { JsonNode } from './node.ts';
import { print } from './print.ts';
import { scan } from './scan.ts';
import { isAlike } from './similar.ts';
import { edited, edits, scalarsOf, values, type Json } from './testing/edits.ts';

const node = (value: Json): JsonNode => scan(JSON.stringify(value)).root;
const plain = (one: JsonNode): Json => JSON.parse(print(one)) as Json;
const cases = fc.tuple(values, edits, edits).map(([base, left, right]) => ({
  base,
  mine: edited(base, left, 'm'),
  theirs: edited(base, right, 't'),
}));
const merging = ({ base, mine, theirs }: { base: Json; mine: Json; theirs: Json }) =>
  merge(node(base), node(mine), node(theirs));
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 2000 : 50_000 };

test('a side that changed nothing gives way to the other', () => {
  fc.assert(
    fc.property(cases, ({ base, mine }) => {
      const left = merge(node(base), node(mine), node(base));
      const right = merge(node(base), node(base), node(mine));
      expect([left.disjoint, right.disjoint]).toEqual([true, true]);
      expect(equal(left.resolve(), node(mine)) && equal(right.resolve(), node(mine))).toBe(true);
    }),
    runs,
  );
});

test('all mine is mine, all theirs is theirs, save for what both changed alike', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const all = (choice: Choice) => {
        const { rows, resolve } = merging(one);
        return resolve(new Map(rows.map(({ id }) => [id, choice])));
      };
      expect(equal(all('mine'), node(one.mine))).toBe(true);
      expect(equal(all('theirs'), node(one.theirs))).toBe(true);
    }),
    runs,
  );
});

test('it is symmetric', () => {
  fc.assert(
    fc.property(cases, ({ base, mine, theirs }) => {
      const one = merging({ base, mine, theirs });
      const other = merging({ base, mine: theirs, theirs: mine });
      expect(other.disjoint).toBe(one.disjoint);
      if (one.disjoint) expect(equal(one.resolve(), other.resolve())).toBe(true);
    }),
    runs,
  );
});

test('what a side added is in the result or in an overlap', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const result = merging(one);
      const kept = scalarsOf(plain(result.resolve()));
      for (const { by, mine, theirs } of result.rows) {
        if (by !== 'overlap') continue;
        for (const at of [...mine, ...theirs]) for (const scalar of scalarsOf(plain(at))) kept.add(scalar);
      }
      for (const scalar of [...scalarsOf(one.mine), ...scalarsOf(one.theirs)]) {
        if (/^[mt]/.test(scalar)) expect(kept).toContain(scalar);
      }
    }),
    runs,
  );
});

/** What a row brings into the result, or might. */
function comes({ by, base, mine, theirs }: MergeRow): readonly JsonNode[] {
  if (by === 'overlap') return [...base, ...mine, ...theirs];
  return by === 'theirs' ? theirs : mine;
}

test('what a side removed is gone, or stands in an overlap', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const result = merging(one);
      // An item that was changed and moved at once is one that went and one that came.
      const inDoubt = new Set(
        result.rows.flatMap((row) => comes(row).flatMap((at) => [...scalarsOf(plain(at))])),
      );
      const [mine, theirs] = [scalarsOf(one.mine), scalarsOf(one.theirs)];
      const kept = scalarsOf(plain(result.resolve()));
      for (const scalar of scalarsOf(one.base)) {
        if (mine.has(scalar) && theirs.has(scalar)) continue;
        if (!inDoubt.has(scalar)) expect(kept).not.toContain(scalar);
      }
    }),
    runs,
  );
});

test('what both sides kept stays, whatever is chosen where they overlap', () => {
  // An item that mine changed and moved into what theirs changed.
  const plan = { a: { c: 's0', a: 's1' } };
  const moved = {
    base: { p: [{ a: {} }, plan, 's2', { c: [], a: {} }] },
    mine: { p: [{ a: {} }, 's2', { c: 'm1', a: {} }, { a: { c: 'm0', a: 's1' } }] },
    theirs: { p: [{ a: {} }, plan, 's2', { c: 't0', a: {} }] },
  };
  fc.assert(
    fc.property(cases, fc.array(fc.boolean(), { maxLength: 12 }), (one, picks) => {
      const { rows, resolve } = merging(one);
      const choices = rows
        .filter(({ by }) => by === 'overlap')
        .map(({ id }, index): [number, Choice] => [id, picks[index] ? 'mine' : 'theirs']);
      const kept = scalarsOf(plain(resolve(new Map(choices))));
      // It is one that went and one that came, and what came may stand where they overlap; so is one that a side no
      // longer has in anything like it.
      const isLeft = (item: JsonNode, side: 'mine' | 'theirs') =>
        rows.some((row) => row[side].some((other) => isAlike(item, other)));
      const went = new Set(
        rows.flatMap(({ by, base }) =>
          base
            .filter((item) => by !== 'overlap' || !isLeft(item, 'mine') || !isLeft(item, 'theirs'))
            .flatMap((item) => [...scalarsOf(plain(item))]),
        ),
      );
      const [mine, theirs] = [scalarsOf(one.mine), scalarsOf(one.theirs)];
      for (const scalar of scalarsOf(one.base)) {
        if (mine.has(scalar) && theirs.has(scalar) && !went.has(scalar)) expect(kept).toContain(scalar);
      }
    }),
    { ...runs, examples: [[moved, []]] },
  );
});
