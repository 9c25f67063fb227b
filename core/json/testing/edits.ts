/** Random JSON values and edits for property tests. Scalars are unique, so that a loss is detected. */
import * as fc from 'fast-check';

export type Json = string | number | boolean | null | Json[] | Members;

export interface Members {
  [key: string]: Json;
}

const arbitraryShape = (maxDepth: number, names: readonly string[]) =>
  fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.constant(0),
      fc.array(tie('node'), { maxLength: names.length }),
      fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: names.length }),
    ),
  })).node;

const objectWithManyKeys = fc.dictionary(
  fc.constantFrom('p', 'q', 'r', 's'),
  arbitraryShape(3, ['a', 'b', 'c', 'd', 'e']),
  {
    minKeys: 1,
    maxKeys: 4,
  },
);
/** Short lists, so that the edits of two sides often change the same item. */
const objectWithOneList = fc.record({
  p: fc.array(arbitraryShape(2, ['a', 'b', 'c']), { minLength: 2, maxLength: 5 }),
});

/** Objects with the scalars `s0`, `s1`, ... */
export const arbitraryObject: fc.Arbitrary<Members> = fc
  .oneof<fc.Arbitrary<Record<string, unknown>>[]>(objectWithManyKeys, objectWithOneList)
  .map((value) => {
    let scalarCount = 0;
    const numberScalars = (node: unknown): Json => {
      if (Array.isArray(node)) return node.map(numberScalars);
      if (typeof node === 'object' && node !== null) {
        return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, numberScalars(child)]));
      }
      return `s${scalarCount++}`;
    };
    return numberScalars(value) as Members;
  });

/** A random edit. `container` and `child` are indexes, reduced modulo the number of containers and of children. */
export interface Edit {
  readonly container: number;
  readonly child: number;
  readonly operation: 'set' | 'remove' | 'insert' | 'moveToEnd';
}

export const arbitraryEdits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    container: fc.nat(20),
    child: fc.nat(5),
    operation: fc.constantFrom<Edit['operation']>('set', 'set', 'remove', 'insert', 'insert', 'moveToEnd'),
  }),
  { maxLength: 4 },
);

/** Applies the edits. New scalars begin with `prefix`. */
export function applyEdits<T extends Json>(value: T, edits: readonly Edit[], prefix: string): T {
  const root = JSON.parse(JSON.stringify(value)) as T;
  edits.forEach(({ container, child, operation }, index) => {
    const containers = listContainers(root);
    const target = containers[container % containers.length];
    if (target) change(target, child, operation, `${prefix}${index}`);
  });
  return root;
}

function change(target: Json[] | Members, child: number, act: Edit['operation'], newScalar: string): void {
  if (!Array.isArray(target)) {
    const keys = Object.keys(target);
    const key = keys[child % Math.max(keys.length, 1)] ?? 'a';
    if (act === 'remove') Reflect.deleteProperty(target, key);
    else target[act === 'insert' ? `n${child}` : key] = newScalar;
    return;
  }
  const index = child % Math.max(target.length, 1);
  if (act === 'insert') target.splice(index, 0, newScalar);
  else if (act === 'remove') target.splice(index, 1);
  else if (act === 'moveToEnd') target.push(...target.splice(index, 1));
  else if (target.length > 0) target[index] = newScalar;
}

function listContainers(node: Json): (Json[] | Members)[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node, ...Object.values(node).flatMap(listContainers)];
}

/** Returns the scalars of a value. */
export function scalarsOf(node: Json): Set<string> {
  if (typeof node !== 'object' || node === null) return new Set([String(node)]);
  return new Set(Object.values(node).flatMap((child) => [...scalarsOf(child)]));
}
