/** Random JSON values and edits for property tests. Scalars are unique, so that a loss is detected. */
import * as fc from 'fast-check';

export type Json = string | number | boolean | null | Json[] | Members;

export interface Members {
  [key: string]: Json;
}

const shapeOf = (maxDepth: number, names: readonly string[]) =>
  fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constant(0),
      fc.array(tie('node'), { maxLength: names.length }),
      fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: names.length }),
    ),
  })).node;

const wide = fc.dictionary(fc.constantFrom('p', 'q', 'r', 's'), shapeOf(3, ['a', 'b', 'c', 'd', 'e']), {
  minKeys: 1,
  maxKeys: 4,
});
/** Short lists, because edits of two sides meet in their items more often. */
const narrow = fc.record({ p: fc.array(shapeOf(2, ['a', 'b', 'c']), { minLength: 2, maxLength: 5 }) });

/** Objects with the scalars `s0`, `s1`, ... */
export const values: fc.Arbitrary<Members> = fc
  .oneof<fc.Arbitrary<Record<string, unknown>>[]>(wide, narrow)
  .map((value) => {
    let next = 0;
    const fill = (node: unknown): Json => {
      if (Array.isArray(node)) return node.map(fill);
      if (typeof node === 'object' && node !== null) {
        return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, fill(child)]));
      }
      return `s${next++}`;
    };
    return fill(value) as Members;
  });

/** Edit: container, child and operation. */
export interface Edit {
  readonly container: number;
  readonly child: number;
  readonly act: 'set' | 'remove' | 'insert' | 'swap';
}

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    container: fc.nat(20),
    child: fc.nat(5),
    act: fc.constantFrom<Edit['act']>('set', 'set', 'remove', 'insert', 'insert', 'swap'),
  }),
  { maxLength: 4 },
);

/** Applies the edits. New scalars begin with `mark`. */
export function applyEdits<T extends Json>(value: T, list: readonly Edit[], mark: string): T {
  const root = JSON.parse(JSON.stringify(value)) as T;
  list.forEach(({ container, child, act }, index) => {
    const allContainers = containers(root);
    const target = allContainers[container % allContainers.length];
    if (target) change(target, child, act, `${mark}${index}`);
  });
  return root;
}

function change(target: Json[] | Members, child: number, act: Edit['act'], fresh: string): void {
  if (!Array.isArray(target)) {
    const keys = Object.keys(target);
    const key = keys[child % Math.max(keys.length, 1)] ?? 'a';
    if (act === 'remove') Reflect.deleteProperty(target, key);
    else target[act === 'insert' ? `n${child}` : key] = fresh;
    return;
  }
  const place = child % Math.max(target.length, 1);
  if (act === 'insert') target.splice(place, 0, fresh);
  else if (act === 'remove') target.splice(place, 1);
  else if (act === 'swap') target.push(...target.splice(place, 1));
  else if (target.length > 0) target[place] = fresh;
}

function containers(node: Json): (Json[] | Members)[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node, ...Object.values(node).flatMap(containers)];
}

/** Returns the scalars of a value. */
export function scalarsOf(node: Json): Set<string> {
  if (typeof node !== 'object' || node === null) return new Set([String(node)]);
  return new Set(Object.values(node).flatMap((child) => [...scalarsOf(child)]));
}
