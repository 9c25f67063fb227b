/** Breaks of a profile, one at each of its demands, made by walking its snapshot. */
import { isArray, stated, type Grown, type Node } from './grown.ts';
import type { Json } from './judged.ts';

export interface Break {
  /** The demand that it breaks: the element's id, and what of it. */
  readonly what: string;
  readonly record: Json;
  /**
   * The demand that is found: that one, or of the slice that the value is not in any more; undefined where it is in order to
   * be in no slice.
   */
  readonly found: string | undefined;
  /** Whether R4 itself demands it. */
  readonly isOfR4: boolean;
}

type Tokens = readonly string[];

/** A slice that a value is in, and the element that is sliced. */
interface Around {
  readonly slice: Node;
  readonly sliced: Node;
}

/** Each mandatory element dropped, each fixed value and pattern broken at each of its leaves, each maximum exceeded. */
export function breaksOf({ record, root, places }: Grown): readonly Break[] {
  const breaks: Break[] = [];
  const add = (
    node: Node,
    kind: string,
    inSlices: readonly Around[],
    tokens: Tokens,
    change: (copy: Json) => void,
  ) => {
    const copy = structuredClone(record);
    change(copy);
    const { id, base, min } = node.element;
    breaks.push({
      what: `${id}/${kind} at /${tokens.join('/')}`,
      record: copy,
      found: foundBy(node.element, kind, inSlices),
      isOfR4: kind === 'min' && node.element.sliceName === undefined && base.min === min,
    });
  };

  function visit(node: Node, around: readonly Around[], sliced: Node | undefined): void {
    const { element } = node;
    const own = places.get(element.id) ?? [];
    const out = sliced ? [...around, { slice: node, sliced }] : around;
    if (element.min > 0 && node !== root) drop(node, own, around);
    const said = stated(element);
    for (const tokens of said ? own : []) {
      for (const leaf of leavesOf(said?.[1])) {
        const at = [...tokens, ...leaf];
        add(node, said?.[0] ?? '', out, at, (copy) => set(copy, at, other(valueAt(copy, at))));
      }
    }
    if (element.max !== '*' && (sliced || element.max !== element.base.max)) exceed(node, around);
    for (const child of node.children) visit(child, out, undefined);
    for (const slice of node.slices) visit(slice, around, node);
  }

  /** Drops all values of an element in one parent, for each parent. */
  function drop(node: Node, own: readonly Tokens[], around: readonly Around[]): void {
    const isList = isArray([node]);
    for (const [parent, all] of Map.groupBy(own, (tokens) =>
      tokens.slice(0, isList ? -1 : undefined).join('/'),
    )) {
      add(node, 'min', around, parent.split('/'), (copy) => {
        for (const tokens of all.toReversed()) remove(copy, tokens);
      });
    }
  }

  /** One value more than there may be, in each parent. */
  function exceed(node: Node, around: readonly Around[]): void {
    const { id, max, path } = node.element;
    const own = places.get(id) ?? [];
    const most = Number(max);
    if (most === 0) {
      const parents = places.get(id.slice(0, id.lastIndexOf('.'))) ?? [[]];
      const name = path.split('.').at(-1);
      // Every type but the primitives has an id.
      const something = { id: 'x' };
      for (const tokens of parents) {
        add(node, 'max', around, tokens, (copy) => {
          valueAt(copy, tokens)[name] = isArray([node]) ? [something] : something;
        });
      }
      return;
    }
    if (!isArray([node])) return;
    for (const [, all] of Map.groupBy(own, (tokens) => tokens.slice(0, -1).join('/'))) {
      const [tokens = []] = all;
      add(node, 'max', around, tokens, (copy) => {
        const list = valueAt(copy, tokens.slice(0, -1));
        const at = Number(tokens.at(-1));
        for (let n = all.length; n <= most; n += 1) list.splice(at, 0, structuredClone(list[at]));
      });
    }
  }

  visit(root, [], undefined);
  return breaks;
}

/** What a broken demand is found by: where it tells the slice, the value is in that no more. */
function foundBy({ id, path }: Json, kind: string, around: readonly Around[]): string | undefined {
  const left = around.find((one) => kind !== 'max' && isToldBy(path, kind, one));
  if (!left) return `${id}/${kind}`;
  const { slice, sliced } = left;
  if (slice.element.min > 0) return `${slice.element.id}/min`;
  return sliced.element.slicing.rules === 'closed' ? `${sliced.element.id}/closed` : undefined;
}

/** Whether a discriminator looks at an element, or at what is missing where that is. */
function isToldBy(path: string, kind: string, { slice, sliced }: Around): boolean {
  const below = path.slice(String(slice.element.path).length + 1);
  return sliced.element.slicing.discriminator.some((one: Json) => {
    if (one.type !== 'value' && one.type !== 'pattern' && (one.type !== 'exists' || kind !== 'min'))
      return false;
    const told = one.path === '$this' ? '' : one.path;
    const isBelow = told === '' || below === told || below.startsWith(`${told}.`);
    return isBelow || (kind === 'min' && told.startsWith(`${below}.`));
  });
}

function leavesOf(value: Json, tokens: Tokens = []): Tokens[] {
  if (typeof value !== 'object') return [tokens];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...tokens, key]));
}

function other(value: Json): Json {
  return typeof value === 'string'
    ? `${value}-other`
    : typeof value === 'boolean'
      ? !value
      : Number(value) + 1;
}

function valueAt(record: Json, tokens: Tokens): Json {
  return tokens.reduce((value, token) => value[token], record);
}

function set(record: Json, tokens: Tokens, value: Json): void {
  valueAt(record, tokens.slice(0, -1))[tokens.at(-1) ?? ''] = value;
}

function remove(record: Json, tokens: Tokens): void {
  const holder = valueAt(record, tokens.slice(0, -1));
  const last = tokens.at(-1) ?? '';
  if (!Array.isArray(holder)) {
    Reflect.deleteProperty(holder, last);
    return;
  }
  holder.splice(Number(last), 1);
  if (holder.length === 0) remove(record, tokens.slice(0, -1));
}
