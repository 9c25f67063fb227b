/** Breaks of a profile, one for each of its rules, built from its snapshot. */
import { isArray, readFixedValue, type Grown, type Node } from './grown.ts';
import type { Json } from './judged.ts';

export interface Break {
  /** The broken rule: element id and kind, with the pointer. */
  readonly description: string;
  readonly record: Json;
  /**
   * The rule that must be reported: the broken rule, or the rule of the slice that the value left. Undefined if a
   * value outside all slices is allowed.
   */
  readonly expectedRule: string | undefined;
  /** True if R4 itself has the rule. */
  readonly isOfR4: boolean;
}

type Tokens = readonly string[];

/** The slice that a value is in, and the sliced element. */
interface EnclosingSlice {
  readonly slice: Node;
  readonly slicedElement: Node;
}

/**
 * Lists the breaks: each required element dropped, each leaf of a fixed value or pattern changed, each
 * maximum exceeded.
 */
export function breaksOf({ record, root, places }: Grown): readonly Break[] {
  const breaks: Break[] = [];
  const add = (
    node: Node,
    kind: string,
    inSlices: readonly EnclosingSlice[],
    tokens: Tokens,
    change: (copy: Json) => void,
  ) => {
    const copy = structuredClone(record);
    change(copy);
    const { id, base, min } = node.element;
    breaks.push({
      description: `${id}/${kind} at /${tokens.join('/')}`,
      record: copy,
      expectedRule: findReportedRule(node.element, kind, inSlices),
      isOfR4: kind === 'min' && node.element.sliceName === undefined && base.min === min,
    });
  };

  function visit(
    node: Node,
    enclosingSlices: readonly EnclosingSlice[],
    slicedElement: Node | undefined,
  ): void {
    const { element } = node;
    const elementPlaces = places.get(element.id) ?? [];
    const childSlices = slicedElement
      ? [...enclosingSlices, { slice: node, slicedElement }]
      : enclosingSlices;
    if (element.min > 0 && node !== root) drop(node, elementPlaces, enclosingSlices);
    const fixedValue = readFixedValue(element);
    for (const tokens of fixedValue ? elementPlaces : []) {
      for (const leaf of leavesOf(fixedValue?.[1])) {
        const leafTokens = [...tokens, ...leaf];
        add(node, fixedValue?.[0] ?? '', childSlices, leafTokens, (copy) =>
          set(copy, leafTokens, changeValue(valueAt(copy, leafTokens))),
        );
      }
    }
    if (element.max !== '*' && (slicedElement || element.max !== element.base.max))
      exceed(node, enclosingSlices);
    for (const child of node.children) visit(child, childSlices, undefined);
    for (const slice of node.slices) visit(slice, enclosingSlices, node);
  }

  /** Drops all values of an element in one parent, for each parent. */
  function drop(
    node: Node,
    elementPlaces: readonly Tokens[],
    enclosingSlices: readonly EnclosingSlice[],
  ): void {
    const isList = isArray([node]);
    for (const [parent, parentPlaces] of Map.groupBy(elementPlaces, (tokens) =>
      tokens.slice(0, isList ? -1 : undefined).join('/'),
    )) {
      add(node, 'min', enclosingSlices, parent.split('/'), (copy) => {
        for (const tokens of parentPlaces.toReversed()) remove(copy, tokens);
      });
    }
  }

  /** Adds one value above the maximum, in each parent. */
  function exceed(node: Node, enclosingSlices: readonly EnclosingSlice[]): void {
    const { id, max, path } = node.element;
    const elementPlaces = places.get(id) ?? [];
    const maxCount = Number(max);
    if (maxCount === 0) {
      const parents = places.get(id.slice(0, id.lastIndexOf('.'))) ?? [[]];
      const name = path.split('.').at(-1);
      // Every type except the primitives has an id.
      const sample = { id: 'x' };
      for (const tokens of parents) {
        add(node, 'max', enclosingSlices, tokens, (copy) => {
          valueAt(copy, tokens)[name] = isArray([node]) ? [sample] : sample;
        });
      }
      return;
    }
    if (!isArray([node])) return;
    for (const [, parentPlaces] of Map.groupBy(elementPlaces, (tokens) => tokens.slice(0, -1).join('/'))) {
      const [tokens = []] = parentPlaces;
      add(node, 'max', enclosingSlices, tokens, (copy) => {
        const list = valueAt(copy, tokens.slice(0, -1));
        const index = Number(tokens.at(-1));
        for (let n = parentPlaces.length; n <= maxCount; n += 1)
          list.splice(index, 0, structuredClone(list[index]));
      });
    }
  }

  visit(root, [], undefined);
  return breaks;
}

/** Returns the rule that reports a break. If a discriminator uses the element, the value leaves its slice. */
function findReportedRule(
  { id, path }: Json,
  kind: string,
  enclosingSlices: readonly EnclosingSlice[],
): string | undefined {
  const leftSlice = enclosingSlices.find(
    (enclosing) => kind !== 'max' && isSelectedBy(path, kind, enclosing),
  );
  if (!leftSlice) return `${id}/${kind}`;
  const { slice, slicedElement } = leftSlice;
  if (slice.element.min > 0) return `${slice.element.id}/min`;
  return slicedElement.element.slicing.rules === 'closed' ? `${slicedElement.element.id}/closed` : undefined;
}

/** Returns true if a discriminator uses an element or its missing child. */
function isSelectedBy(path: string, kind: string, { slice, slicedElement }: EnclosingSlice): boolean {
  const pathBelow = path.slice(String(slice.element.path).length + 1);
  return slicedElement.element.slicing.discriminator.some((discriminator: Json) => {
    if (
      discriminator.type !== 'value' &&
      discriminator.type !== 'pattern' &&
      (discriminator.type !== 'exists' || kind !== 'min')
    )
      return false;
    const discriminatorPath = discriminator.path === '$this' ? '' : discriminator.path;
    const isBelow =
      discriminatorPath === '' ||
      pathBelow === discriminatorPath ||
      pathBelow.startsWith(`${discriminatorPath}.`);
    return isBelow || (kind === 'min' && discriminatorPath.startsWith(`${pathBelow}.`));
  });
}

function leavesOf(value: Json, tokens: Tokens = []): Tokens[] {
  if (typeof value !== 'object') return [tokens];
  return Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...tokens, key]));
}

function changeValue(value: Json): Json {
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
  const lastToken = tokens.at(-1) ?? '';
  if (!Array.isArray(holder)) {
    Reflect.deleteProperty(holder, lastToken);
    return;
  }
  holder.splice(Number(lastToken), 1);
  if (holder.length === 0) remove(record, tokens.slice(0, -1));
}
