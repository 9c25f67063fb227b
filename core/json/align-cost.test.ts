/** Cost of alignments, in reads of nodes and uses of maps. It must be near linear for any lists. */
import { expect, test, vi } from 'vitest';
import { alignItems } from './align.ts';
import { listChanges } from './diff.ts';
import { items, type JsonNode } from './node.ts';
import { scan } from './scan.ts';

/** Returns the nodes of a value. Each read of their content calls `count`. */
function createCountedNode(value: unknown, count: () => void): JsonNode {
  const wrap = (node: JsonNode): JsonNode => {
    const wrappedNode =
      node.kind === 'object'
        ? { ...node, members: node.members.map((entry) => ({ ...entry, value: wrap(entry.value) })) }
        : node.kind === 'array'
          ? { ...node, items: node.items.map(wrap) }
          : node;
    return new Proxy(wrappedNode, {
      get(target, name) {
        if (name !== 'kind') count();
        return Reflect.get(target, name) as unknown;
      },
    });
  };
  return wrap(scan(JSON.stringify(value)).root);
}

/** Returns how often `work` reads or writes a map. */
function countMapUses(work: () => void): number {
  let uses = 0;
  type AnyMap = Map<unknown, unknown>;
  const get = Reflect.get(Map.prototype, 'get') as (this: AnyMap, key: unknown) => unknown;
  const set = Reflect.get(Map.prototype, 'set') as (this: AnyMap, key: unknown, value: unknown) => AnyMap;
  vi.spyOn(Map.prototype, 'get').mockImplementation(function countGet(this: AnyMap, key: unknown) {
    uses += 1;
    return get.call(this, key);
  });
  vi.spyOn(Map.prototype, 'set').mockImplementation(function countSet(
    this: AnyMap,
    key: unknown,
    value: unknown,
  ) {
    uses += 1;
    return set.call(this, key, value);
  });
  try {
    work();
  } finally {
    vi.restoreAllMocks();
  }
  return uses;
}

const section = (index: number, text = `Text ${index}`) => ({
  title: `Section ${index}`,
  code: { coding: [{ system: 'http://loinc.org', code: `${index}-0` }] },
  text: { status: 'generated', div: text },
});
const list = <Item>(length: number, make: (index: number) => Item) =>
  Array.from({ length }, (_, index) => make(index));
const nested = (depth: number, end: string): unknown =>
  depth === 0 ? [end] : [{ title: 'Deep', l: list(20, (index) => index), section: nested(depth - 1, end) }];

const hostile: readonly (readonly [string, (size: number) => readonly [unknown[], unknown[]]])[] = [
  ['equal items', (size) => [list(size, () => section(0)), list(size - 3, () => section(0))]],
  ['no equal items', (size) => [list(size, (index) => [`a${index}`]), list(size, (index) => [`b${index}`])]],
  [
    'reversed items',
    (size) => [list(size, (index) => section(index)), list(size, (index) => section(size - index))],
  ],
  [
    'shuffled items',
    (size) => [list(size, (index) => [index]), list(size, (index) => [(index * 7919) % size])],
  ],
  [
    'one removed item',
    (size) => [list(size, (index) => section(index)), list(size, (index) => section(index + 1))],
  ],
  [
    'changed items',
    (size) => [list(size, (index) => section(index)), list(size, (index) => section(index, `new ${index}`))],
  ],
  [
    'items similar to each other',
    (size) => [
      list(size, (index) => ({ a: 1, b: 2, c: 3, d: index })),
      list(size, (index) => ({ a: 1, b: 2, c: 3, d: `x${index}` })),
    ],
  ],
  [
    'groups of similar items',
    (size) => [
      list(size, (index) => ({ a: index >> 5, b: -(index >> 5), c: 3, d: index })),
      list(size, (index) => ({ a: index >> 5, b: -(index >> 5), c: 3, d: `x${index}` })).reverse(),
    ],
  ],
];

test.each(hostile)('aligns four times as many items with at most five times the work: %s', (_name, make) => {
  const workOf = (size: number) => {
    let reads = 0;
    const [before = [], after = []] = make(size).map((value) =>
      items(createCountedNode(value, () => (reads += 1))),
    );
    reads = 0;
    const uses = countMapUses(() => void alignItems(before, after));
    return reads + uses;
  };
  expect(workOf(2000)).toBeLessThan(workOf(500) * 5);
});

test('compares triple nesting with at most four times the reads', () => {
  const readsOf = (depth: number) => {
    let reads = 0;
    const count = () => (reads += 1);
    expect(
      listChanges(createCountedNode(nested(depth, 'a'), count), createCountedNode(nested(depth, 'b'), count)),
    ).toHaveLength(1);
    return reads;
  };
  expect(readsOf(30)).toBeLessThan(readsOf(10) * 4);
});
