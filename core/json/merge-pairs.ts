import { alignItems } from './align.ts';
import { equalAll } from './equal.ts';
import type { JsonNode } from './node.ts';
import { risingPairs, type Pair } from './rising.ts';

type Nodes = readonly JsonNode[];

/** Pairs of items of the base and of a side that a merge can rely on. */
export interface CertainPairs {
  /** Rising on both sides. */
  readonly pairs: readonly Pair[];
  /** Unpaired items of the base that may be elsewhere, changed. */
  readonly relocated: ReadonlySet<number>;
  /** Items of the base with the same key as their partner. */
  readonly keyed: ReadonlySet<number>;
}

/**
 * Returns the certain pairs; undefined if an item moved, because the orders of both sides cannot be combined.
 */
export function certainPairs(base: Nodes, side: Nodes): CertainPairs | undefined {
  const { toAfter, toBefore, evidenceOf, uncertain, complete } = alignItems(base, side);
  const isWeak = (index: number) => evidenceOf(index) === 'similar' || evidenceOf(index) === 'neighbors';
  const strong = toAfter.map((partner, index) => (isWeak(index) ? -1 : partner));
  const fixed = risingPairs(strong);
  if (fixed.length !== strong.filter((partner) => partner !== -1).length) return undefined;
  const candidates = strong.slice();
  let place = 0;
  for (const [index, partner] of toAfter.entries()) {
    while ((fixed[place]?.[0] ?? base.length) < index) place += 1;
    const isBetween = partner > (fixed[place - 1]?.[1] ?? -1) && partner < (fixed[place]?.[1] ?? side.length);
    if (isWeak(index) && isBetween && !uncertain.has(index)) candidates[index] = partner;
  }
  const pairs = risingPairs(candidates);
  const paired = new Set(pairs.map(([index]) => index));
  const isSearched = complete || !toBefore.includes(-1);
  const relocated = [...base.keys()].filter(
    (index) => !paired.has(index) && (!isSearched || uncertain.has(index) || isWeak(index)),
  );
  const keyed = pairs.flatMap(([index]) => (evidenceOf(index) === 'key' ? [index] : []));
  return { pairs, relocated: new Set(relocated), keyed: new Set(keyed) };
}

/**
 * Returns true if one side may have moved and changed items at once, and the other side did not change these items or
 * the length of the list. An item that was moved and changed looks removed and added.
 */
export function isRelocationSafe(
  relocated: ReadonlySet<number>,
  base: Nodes,
  side: Nodes,
  pairs: ReadonlyMap<number, number>,
): boolean {
  if (relocated.size === 0) return true;
  if (pairs.size !== base.length || side.length !== base.length) return false;
  return [...relocated].every((index) =>
    equalAll(base.slice(index, index + 1), side.slice(index, index + 1)),
  );
}
