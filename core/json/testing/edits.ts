/** Random JSON values and edits of them for property tests; every scalar is one of a kind, so that a loss shows. */
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
/** A short list: edits of two sides meet in its items more often. */
const narrow = fc.record({ p: fc.array(shapeOf(2, ['a', 'b', 'c']), { minLength: 2, maxLength: 5 }) });

/** An object whose scalars are `s0`, `s1`, ... */
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

/** One edit: which container, which of its children, and what is done there. */
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

/** The value after the edits; new scalars begin with `mark`. */
export function edited<T extends Json>(value: T, list: readonly Edit[], mark: string): T {
  const root = JSON.parse(JSON.stringify(value)) as T;
  list.forEach(({ container, child, act }, index) => {
    const all = containers(root);
    const at = all[container % all.length];
    if (at) change(at, child, act, `${mark}${index}`);
  });
  return root;
}

function change(at: Json[] | Members, child: number, act: Edit['act'], fresh: string): void {
  if (!Array.isArray(at)) {
    const keys = Object.keys(at);
    const key = keys[child % Math.max(keys.length, 1)] ?? 'a';
    if (act === 'remove') Reflect.deleteProperty(at, key);
    else at[act === 'insert' ? `n${child}` : key] = fresh;
    return;
  }
  const place = child % Math.max(at.length, 1);
  if (act === 'insert') at.splice(place, 0, fresh);
  else if (act === 'remove') at.splice(place, 1);
  else if (act === 'swap') at.push(...at.splice(place, 1));
  else if (at.length > 0) at[place] = fresh;
}

function containers(node: Json): (Json[] | Members)[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node, ...Object.values(node).flatMap(containers)];
}

/** The scalars of a value. */
export function scalarsOf(node: Json): Set<string> {
  if (typeof node !== 'object' || node === null) return new Set([String(node)]);
  return new Set(Object.values(node).flatMap((child) => [...scalarsOf(child)]));
}
