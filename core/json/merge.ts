import { equal, equalAll } from './equal.ts';
import { plainGrain, type MergeGrain } from './merge-grain.ts';
import { certainPairs, isRelocationSafe } from './merge-pairs.ts';
import { member, objectNode, type JsonMember, type JsonNode, type JsonObject } from './node.ts';
import { formatPointer } from './pointer.ts';
import { isAlike } from './similar.ts';

export type Choice = 'mine' | 'theirs' | 'both';

/**
 * One place that a side changed. The nodes are those that stand there on each side: none where nothing stands, several
 * where items of an array came or went together.
 */
export interface MergeRow {
  /** Its place in the list; what a choice is kept by. */
  readonly id: number;
  /** Where it stands in the base, or would stand. */
  readonly pointer: string;
  /** Who changed it: one side, both alike (`same`), or both in different ways (`overlap`). */
  readonly by: 'mine' | 'theirs' | 'same' | 'overlap';
  readonly base: readonly JsonNode[];
  readonly mine: readonly JsonNode[];
  readonly theirs: readonly JsonNode[];
  /** What can be chosen. Empty where both sides say the same. */
  readonly choices: readonly Choice[];
  /** What is taken without a choice: the change of the one side that made it. Absent where the two overlap. */
  readonly preset?: Choice;
}

export interface Merge {
  readonly rows: readonly MergeRow[];
  /** Whether nothing needs a decision: no change of a side touches one of the other. */
  readonly disjoint: boolean;
  /** The merged value. An overlap without a choice stands as the first that it offers: that is to look at, not to send. */
  readonly resolve: (choices?: ReadonlyMap<number, Choice>) => JsonNode;
}

type Choose = (row: MergeRow) => Choice;
type Build = (choose: Choose) => readonly JsonNode[];
type BuildMembers = (choose: Choose) => readonly JsonMember[];
type Nodes = readonly JsonNode[];

/** A path in the base, and the grain of the element there. */
interface Place {
  readonly path: readonly string[];
  readonly grain: MergeGrain;
}

/** The objects that have a member. */
interface Owners {
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly theirs: JsonObject;
}

interface Sides {
  readonly base: Nodes;
  readonly mine: Nodes;
  readonly theirs: Nodes;
}

/**
 * The three-way merge of JSON values. Members merge by name, items of arrays as {@link alignItems} pairs them. Where it is
 * in doubt whether two changes touch each other, they overlap: nothing of either side is dropped without a choice.
 *
 * @param grain - Tells which values are taken from one side as a whole.
 */
export function merge(
  base: JsonNode,
  mine: JsonNode,
  theirs: JsonNode,
  grain: MergeGrain = plainGrain,
): Merge {
  const rows: MergeRow[] = [];
  const build = new Merger(rows).place({ base: [base], mine: [mine], theirs: [theirs] }, { path: [], grain });
  return {
    rows,
    disjoint: rows.every(({ by }) => by !== 'overlap'),
    resolve(choices) {
      const [merged] = build(
        ({ id, preset, choices: [first = 'mine'] }) => choices?.get(id) ?? preset ?? first,
      );
      return merged ?? theirs;
    },
  };
}

class Merger {
  private readonly rows: MergeRow[];

  constructor(rows: MergeRow[]) {
    this.rows = rows;
  }

  /** What becomes of one place: nodes of equal number on each side are taken apart as far as that is safe. */
  place(sides: Sides, at: Place): Build {
    const { base, mine, theirs } = sides;
    if (equalAll(base, mine) && equalAll(base, theirs)) return () => mine;
    const [b, m, t] = [base[0], mine[0], theirs[0]];
    if (b && m && t && base.length + mine.length + theirs.length === 3) {
      if (b.kind === 'object' && m.kind === 'object' && t.kind === 'object') {
        const isTorn = at.grain.isWhole([b, m, t]) || hasTornPair({ base: b, mine: m, theirs: t }, at.grain);
        if (!isTorn) return this.members({ base: b, mine: m, theirs: t }, at);
      } else if (b.kind === 'array' && m.kind === 'array' && t.kind === 'array') {
        const parts = this.items(b.items, m.items, t.items, at);
        if (parts) return (choose) => [{ ...m, items: parts.flatMap((part) => part(choose)) }];
      }
    }
    return this.row(sides, at.path);
  }

  private row(sides: Sides, path: readonly string[], list = false): Build {
    const by = authorOf(sides);
    const row: MergeRow = {
      id: this.rows.length,
      pointer: formatPointer(path),
      by,
      ...sides,
      choices: choicesOf(by, list && sides.base.length === 0),
      ...((by === 'mine' || by === 'theirs') && { preset: by }),
    };
    this.rows.push(row);
    return (choose) => taken(row, row.choices.length === 0 ? 'mine' : choose(row));
  }

  private members(owners: Owners, at: Place): Build {
    const parts = placesOf(owners, at.grain).map((keys) => {
      const [key = ''] = keys;
      return keys.length > 1 ? this.memberGroup(owners, keys, at) : this.member(owners, key, at);
    });
    return (choose) => [{ ...owners.mine, members: parts.flatMap((part) => part(choose)) }];
  }

  private member(owners: Owners, key: string, { path, grain }: Place): BuildMembers {
    const { base, mine, theirs } = owners;
    const sides = { base: valueOf(base, key), mine: valueOf(mine, key), theirs: valueOf(theirs, key) };
    const written = memberOf(mine, key) ?? memberOf(theirs, key) ?? memberOf(base, key);
    const build = this.place(sides, { path: [...path, key], grain: grain.member(key, [base, mine, theirs]) });
    return (choose) => {
      const [value] = build(choose);
      return written && value ? [{ ...written, value }] : [];
    };
  }

  /** Members that make one value are one row: an object of these members on each side. */
  private memberGroup(
    { base, mine, theirs }: Owners,
    keys: readonly string[],
    { path }: Place,
  ): BuildMembers {
    const sides = { base: pick(base, keys), mine: pick(mine, keys), theirs: pick(theirs, keys) };
    const first = keys.find((key) => member(base, key)) ?? keys[0] ?? '';
    const isSame = equalAll(sides.base, sides.mine) && equalAll(sides.base, sides.theirs);
    const build: Build = isSame ? () => sides.mine : this.row(sides, [...path, first]);
    return (choose) => build(choose).flatMap((group) => (group.kind === 'object' ? group.members : []));
  }

  /** The parts of an array; undefined where items moved, so that it has to be taken as a whole. */
  private items(base: Nodes, mine: Nodes, theirs: Nodes, { path, grain }: Place): Build[] | undefined {
    const toMine = certainPairs(base, mine);
    const toTheirs = certainPairs(base, theirs);
    if (!toMine || !toTheirs) return undefined;
    const inMine = new Map(toMine.pairs);
    const inTheirs = new Map(toTheirs.pairs);
    if (!isRelocationSafe(toTheirs.relocated, base, mine, inMine)) return undefined;
    if (!isRelocationSafe(toMine.relocated, base, theirs, inTheirs)) return undefined;
    const parts: Build[] = [];
    let [b, m, t] = [0, 0, 0];
    const region = (toB: number, toM: number, toT: number) => {
      const sides = { base: base.slice(b, toB), mine: mine.slice(m, toM), theirs: theirs.slice(t, toT) };
      if (equalAll(sides.base, sides.mine) && equalAll(sides.base, sides.theirs))
        parts.push(() => sides.mine);
      else parts.push(this.row(sides, [...path, String(b)], true));
      [b, m, t] = [toB, toM, toT];
    };
    for (const [index, item] of base.entries()) {
      const [atMine, atTheirs] = [inMine.get(index), inTheirs.get(index)];
      if (atMine === undefined || atTheirs === undefined) continue;
      if (index > b || atMine > m || atTheirs > t) region(index, atMine, atTheirs);
      const [myItem, theirItem] = [mine[atMine], theirs[atTheirs]];
      if (!myItem || !theirItem) continue;
      const sides = { base: [item], mine: [myItem], theirs: [theirItem] };
      const place = [...path, String(index)];
      const isKeyed = toMine.keyed.has(index) && toTheirs.keyed.has(index);
      const isOneItem = isKeyed || this.isOneItem(item, myItem, theirItem);
      parts.push(isOneItem ? this.place(sides, { path: place, grain }) : this.row(sides, place));
      [b, m, t] = [index + 1, atMine + 1, atTheirs + 1];
    }
    if (base.length > b || mine.length > m || theirs.length > t) {
      region(base.length, mine.length, theirs.length);
    }
    return parts;
  }

  /** Whether what stands at one place of three arrays is one item still, and not another that was put there. */
  private isOneItem(base: JsonNode, mine: JsonNode, theirs: JsonNode): boolean {
    if (equal(base, mine) || equal(base, theirs)) return true;
    return isAlike(base, mine) && isAlike(base, theirs);
  }
}

function authorOf({ base, mine, theirs }: Sides): MergeRow['by'] {
  if (equalAll(mine, theirs)) return 'same';
  if (equalAll(base, mine)) return 'theirs';
  return equalAll(base, theirs) ? 'mine' : 'overlap';
}

function choicesOf(by: MergeRow['by'], inserted: boolean): readonly Choice[] {
  if (by === 'same') return [];
  // Items that both sides put into one place do not exclude each other, yet their order is for a person to judge.
  return by === 'overlap' && inserted ? ['both', 'mine', 'theirs'] : ['mine', 'theirs'];
}

function taken({ mine, theirs }: MergeRow, choice: Choice): Nodes {
  if (choice === 'both') return [...theirs, ...mine];
  return choice === 'mine' ? mine : theirs;
}

function memberOf({ members }: JsonObject, key: string): JsonMember | undefined {
  return members.find((one) => one.key === key);
}

function valueOf(object: JsonObject, key: string): Nodes {
  const value = member(object, key);
  return value ? [value] : [];
}

/** Returns an object of the named members; nothing if the object has none of them. */
function pick(object: JsonObject, keys: readonly string[]): Nodes {
  const members = object.members.filter(({ key }) => keys.includes(key));
  return members.length === 0 ? [] : [{ ...objectNode(), members }];
}

/** Returns the keys by the place that they share, in the order of the first key of each. */
function placesOf({ base, mine, theirs }: Owners, grain: MergeGrain): readonly (readonly string[])[] {
  const places = new Map<string, string[]>();
  for (const key of keysOf(mine, theirs, base)) {
    const place = grain.placeOf(key, [base, mine, theirs]);
    const known = places.get(place);
    if (known) known.push(key);
    else places.set(place, [key]);
  }
  return [...places.values()];
}

/** Every key once: in the order of `first`, those that only `second` has behind the key that they follow there. */
function keysOf(first: JsonObject, second: JsonObject, base: JsonObject): string[] {
  const keys = first.members.map(({ key }) => key);
  const known = new Set(keys);
  let at = 0;
  for (const { key } of second.members) {
    if (known.has(key)) at = keys.indexOf(key) + 1;
    else {
      keys.splice(at, 0, key);
      known.add(key);
      at += 1;
    }
  }
  return [...keys, ...base.members.map(({ key }) => key).filter((key) => !known.has(key))];
}

/** Whether both sides changed a list whose items have their ids and extensions in a second one (FHIR json.html#primitive). */
function hasTornPair({ base, mine, theirs }: Owners, grain: MergeGrain): boolean {
  const placeOf = (key: string) => grain.placeOf(key, [base, mine, theirs]);
  return keysOf(mine, theirs, base)
    .filter((key) => key.startsWith('_') && placeOf(key) !== placeOf(key.slice(1)))
    .some((key) => {
      const names = [key, key.slice(1)];
      const sideOf = (object: JsonObject) => names.map((name) => valueOf(object, name));
      const changed = (object: JsonObject) =>
        names.some((name) => !equalAll(valueOf(base, name), valueOf(object, name)));
      const isList = [base, mine, theirs].flatMap(sideOf).some(([node]) => node?.kind === 'array');
      return isList && changed(mine) && changed(theirs);
    });
}
