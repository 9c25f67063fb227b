import { plainGrain, type MergeGrain } from './merge-grain.ts';
import {
  member,
  objectNode,
  equal,
  equalAll,
  type JsonMember,
  type JsonNode,
  type JsonObject,
} from './node.ts';
import { formatPointer } from './pointer.ts';
import { isSimilar } from './similarity.ts';
import { alignItems } from './align.ts';
import { risingPairs, type Pair } from './rising.ts';

export type Choice = 'ours' | 'theirs' | 'both';

/**
 * A place that a side changed. The nodes are its content on each side: empty, one, or several array items
 * that came or went together.
 */
export interface MergeRow {
  /** Index in the list. Choices are stored by it. */
  readonly id: number;
  /** Location in the base, existing or not. */
  readonly pointer: string;
  /** Side that changed it: one side, both equally (`same`), or both differently (`overlap`). */
  readonly side: 'ours' | 'theirs' | 'same' | 'overlap';
  readonly base: readonly JsonNode[];
  readonly ours: readonly JsonNode[];
  readonly theirs: readonly JsonNode[];
  /** Possible choices; empty if both sides are equal. */
  readonly choices: readonly Choice[];
  /** Default: the change of the only side that made one. Absent for an overlap. */
  readonly preset?: Choice;
}

export interface Merge {
  readonly rows: readonly MergeRow[];
  /** True if no change of one side touches a change of the other side. */
  readonly disjoint: boolean;
  /** Returns the merged value. An undecided overlap uses its first choice: for display, not for saving. */
  readonly resolve: (choices?: ReadonlyMap<number, Choice>) => JsonNode;
}

type Choose = (row: MergeRow) => Choice;
type Build = (choose: Choose) => readonly JsonNode[];
type BuildMembers = (choose: Choose) => readonly JsonMember[];
type Nodes = readonly JsonNode[];

/** Path in the base, and the grain of the element. */
interface Place {
  readonly path: readonly string[];
  readonly grain: MergeGrain;
}

/** Objects that contain a member. */
interface Owners {
  readonly base: JsonObject;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
}

interface Sides {
  readonly base: Nodes;
  readonly ours: Nodes;
  readonly theirs: Nodes;
}

/**
 * Merges JSON values of three versions. Members merge by name, array items by {@link alignItems}. If two changes may
 * touch each other, they overlap: the user chooses before a change of one side is dropped.
 *
 * @param grain - Defines which values come from one side as a whole.
 */
export function merge(
  base: JsonNode,
  ours: JsonNode,
  theirs: JsonNode,
  grain: MergeGrain = plainGrain,
): Merge {
  const rows: MergeRow[] = [];
  const build = new Merger(rows).place({ base: [base], ours: [ours], theirs: [theirs] }, { path: [], grain });
  return {
    rows,
    disjoint: rows.every(({ side }) => side !== 'overlap'),
    resolve(choices) {
      const [mergedRoot] = build(
        ({ id, preset, choices: [firstChoice = 'ours'] }) => choices?.get(id) ?? preset ?? firstChoice,
      );
      return mergedRoot ?? theirs;
    },
  };
}

class Merger {
  private readonly rows: MergeRow[];

  constructor(rows: MergeRow[]) {
    this.rows = rows;
  }

  /** Merges one place. Single nodes of one kind are merged part by part if that is safe. */
  place(sides: Sides, location: Place): Build {
    const { base, ours, theirs } = sides;
    if (equalAll(base, ours) && equalAll(base, theirs)) return () => ours;
    const [b, o, t] = [base[0], ours[0], theirs[0]];
    if (b && o && t && base.length + ours.length + theirs.length === 3) {
      if (b.kind === 'object' && o.kind === 'object' && t.kind === 'object') {
        const isTorn =
          location.grain.isWhole([b, o, t]) || hasTornPair({ base: b, ours: o, theirs: t }, location.grain);
        if (!isTorn) return this.members({ base: b, ours: o, theirs: t }, location);
      } else if (b.kind === 'array' && o.kind === 'array' && t.kind === 'array') {
        const parts = this.items(b.items, o.items, t.items, location);
        if (parts) return (choose) => [{ ...o, items: parts.flatMap((part) => part(choose)) }];
      }
    }
    return this.row(sides, location.path);
  }

  private row(sides: Sides, path: readonly string[], list = false): Build {
    const side = findChangingSide(sides);
    const row: MergeRow = {
      id: this.rows.length,
      pointer: formatPointer(path),
      side,
      ...sides,
      choices: choicesOf(side, list && sides.base.length === 0),
      ...((side === 'ours' || side === 'theirs') && { preset: side }),
    };
    this.rows.push(row);
    return (choose) => getChosenNodes(row, row.choices.length === 0 ? 'ours' : choose(row));
  }

  private members(owners: Owners, location: Place): Build {
    const parts = placesOf(owners, location.grain).map((keys) => {
      const [key = ''] = keys;
      return keys.length > 1 ? this.memberGroup(owners, keys, location) : this.member(owners, key, location);
    });
    return (choose) => [{ ...owners.ours, members: parts.flatMap((part) => part(choose)) }];
  }

  private member(owners: Owners, key: string, { path, grain }: Place): BuildMembers {
    const { base, ours, theirs } = owners;
    const sides = { base: valueOf(base, key), ours: valueOf(ours, key), theirs: valueOf(theirs, key) };
    const sourceMember = memberOf(ours, key) ?? memberOf(theirs, key) ?? memberOf(base, key);
    const build = this.place(sides, { path: [...path, key], grain: grain.member(key, [base, ours, theirs]) });
    return (choose) => {
      const [value] = build(choose);
      return sourceMember && value ? [{ ...sourceMember, value }] : [];
    };
  }

  /** Merges members that form one value: a row with an object of these members on each side. */
  private memberGroup(
    { base, ours, theirs }: Owners,
    keys: readonly string[],
    { path }: Place,
  ): BuildMembers {
    const sides = { base: pick(base, keys), ours: pick(ours, keys), theirs: pick(theirs, keys) };
    const firstKey = keys.find((key) => member(base, key)) ?? keys[0] ?? '';
    const isSame = equalAll(sides.base, sides.ours) && equalAll(sides.base, sides.theirs);
    const build: Build = isSame ? () => sides.ours : this.row(sides, [...path, firstKey]);
    return (choose) => build(choose).flatMap((group) => (group.kind === 'object' ? group.members : []));
  }

  /** Merges the items of an array; undefined if items moved and the array must be one row. */
  private items(base: Nodes, ours: Nodes, theirs: Nodes, { path, grain }: Place): Build[] | undefined {
    const toOurs = certainPairs(base, ours);
    const toTheirs = certainPairs(base, theirs);
    if (!toOurs || !toTheirs) return undefined;
    const inOurs = new Map(toOurs.pairs);
    const inTheirs = new Map(toTheirs.pairs);
    if (!isRelocationSafe(toTheirs.relocated, base, ours, inOurs)) return undefined;
    if (!isRelocationSafe(toOurs.relocated, base, theirs, inTheirs)) return undefined;
    const parts: Build[] = [];
    let [b, o, t] = [0, 0, 0];
    const addRegion = (toB: number, toO: number, toT: number) => {
      const sides = { base: base.slice(b, toB), ours: ours.slice(o, toO), theirs: theirs.slice(t, toT) };
      if (equalAll(sides.base, sides.ours) && equalAll(sides.base, sides.theirs))
        parts.push(() => sides.ours);
      else parts.push(this.row(sides, [...path, String(b)], true));
      [b, o, t] = [toB, toO, toT];
    };
    for (const [index, item] of base.entries()) {
      const [atOurs, atTheirs] = [inOurs.get(index), inTheirs.get(index)];
      if (atOurs === undefined || atTheirs === undefined) continue;
      if (index > b || atOurs > o || atTheirs > t) addRegion(index, atOurs, atTheirs);
      const [ourItem, theirItem] = [ours[atOurs], theirs[atTheirs]];
      if (!ourItem || !theirItem) continue;
      const sides = { base: [item], ours: [ourItem], theirs: [theirItem] };
      const itemPath = [...path, String(index)];
      const isKeyed = toOurs.keyed.has(index) && toTheirs.keyed.has(index);
      const isOneItem = isKeyed || this.isOneItem(item, ourItem, theirItem);
      parts.push(isOneItem ? this.place(sides, { path: itemPath, grain }) : this.row(sides, itemPath));
      [b, o, t] = [index + 1, atOurs + 1, atTheirs + 1];
    }
    if (base.length > b || ours.length > o || theirs.length > t) {
      addRegion(base.length, ours.length, theirs.length);
    }
    return parts;
  }

  /** Returns true if the nodes at one place of three arrays are the same item. */
  private isOneItem(base: JsonNode, ours: JsonNode, theirs: JsonNode): boolean {
    if (equal(base, ours) || equal(base, theirs)) return true;
    return isSimilar(base, ours) && isSimilar(base, theirs);
  }
}

function findChangingSide({ base, ours, theirs }: Sides): MergeRow['side'] {
  if (equalAll(ours, theirs)) return 'same';
  if (equalAll(base, ours)) return 'theirs';
  return equalAll(base, theirs) ? 'ours' : 'overlap';
}

function choicesOf(side: MergeRow['side'], isInsertion: boolean): readonly Choice[] {
  if (side === 'same') return [];
  // Items that both sides inserted at one place do not exclude each other, but a person must decide their
  // order.
  return side === 'overlap' && isInsertion ? ['both', 'ours', 'theirs'] : ['ours', 'theirs'];
}

function getChosenNodes({ ours, theirs }: MergeRow, choice: Choice): Nodes {
  if (choice === 'both') return [...theirs, ...ours];
  return choice === 'ours' ? ours : theirs;
}

function memberOf({ members }: JsonObject, key: string): JsonMember | undefined {
  return members.find((candidate) => candidate.key === key);
}

function valueOf(object: JsonObject, key: string): Nodes {
  const value = member(object, key);
  return value ? [value] : [];
}

/** Returns an object of the named members; empty if the object has none of them. */
function pick(object: JsonObject, keys: readonly string[]): Nodes {
  const members = object.members.filter(({ key }) => keys.includes(key));
  return members.length === 0 ? [] : [{ ...objectNode(), members }];
}

/** Returns the keys by group, in order of the first key of each. */
function placesOf({ base, ours, theirs }: Owners, grain: MergeGrain): readonly (readonly string[])[] {
  const places = new Map<string, string[]>();
  for (const key of keysOf(ours, theirs, base)) {
    const place = grain.placeOf(key, [base, ours, theirs]);
    const groupKeys = places.get(place);
    if (groupKeys) groupKeys.push(key);
    else places.set(place, [key]);
  }
  return [...places.values()];
}

/**
 * Returns every key once, in the order of `firstObject`. A key only in `secondObject` follows its predecessor
 * there.
 */
function keysOf(firstObject: JsonObject, secondObject: JsonObject, base: JsonObject): string[] {
  const keys = firstObject.members.map(({ key }) => key);
  const knownKeys = new Set(keys);
  let insertIndex = 0;
  for (const { key } of secondObject.members) {
    if (knownKeys.has(key)) insertIndex = keys.indexOf(key) + 1;
    else {
      keys.splice(insertIndex, 0, key);
      knownKeys.add(key);
      insertIndex += 1;
    }
  }
  return [...keys, ...base.members.map(({ key }) => key).filter((key) => !knownKeys.has(key))];
}

/**
 * Returns true if both sides changed a list whose items have ids and extensions in a second list (FHIR
 * json.html#primitive).
 */
function hasTornPair({ base, ours, theirs }: Owners, grain: MergeGrain): boolean {
  const placeOf = (key: string) => grain.placeOf(key, [base, ours, theirs]);
  return keysOf(ours, theirs, base)
    .filter((key) => key.startsWith('_') && placeOf(key) !== placeOf(key.slice(1)))
    .some((key) => {
      const names = [key, key.slice(1)];
      const sideOf = (object: JsonObject) => names.map((name) => valueOf(object, name));
      const isChanged = (object: JsonObject) =>
        names.some((name) => !equalAll(valueOf(base, name), valueOf(object, name)));
      const isList = [base, ours, theirs].flatMap(sideOf).some(([node]) => node?.kind === 'array');
      return isList && isChanged(ours) && isChanged(theirs);
    });
}

/** Pairs of items of the base and of a side that a merge can rely on. */
interface CertainPairs {
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
function certainPairs(base: Nodes, side: Nodes): CertainPairs | undefined {
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
function isRelocationSafe(
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
