import { isCertainlyAfter, timeSpan } from '../../types/definition/dates.ts';
import { isMembers, type Judge, type Kind } from '../../types/definition/rule.ts';
import type { InvariantRow, InvariantTerm } from './generated/element-table.js';
import { ruleOf } from './rules.ts';

/**
 * R4's own invariants, of which scripts/schema-invariants.ts made terms: FHIRPath without what could take longer than the
 * element is large. Names are followed by the types of the elements, so that `value` is found in `valueString`.
 */
interface Item {
  readonly value: unknown;
  readonly kind: Kind | undefined;
}
type Items = readonly Item[];

interface Scope {
  readonly focus: Items;
  readonly root: Items;
  /** What paths from the root lead to: a list that is asked for at each item is made once. */
  readonly known: Map<InvariantTerm, Items>;
}

/** The judge of an invariant on the values of a type. */
export function invariantJudge([key, severity, human, term]: InvariantRow): Judge {
  const rule = ruleOf(severity === 'error' ? 'r4-invariant' : 'r4-advice');
  return {
    rule,
    changes: undefined,
    check: (element, report, { kind }) => {
      const focus = [{ value: element, kind }];
      const result = evaluate(term, { focus, root: focus, known: new Map() });
      // What R4 only advises is broken by what stands there, not by what is missing.
      const holds = severity === 'error' ? truth(result) === true : truth(result) !== false;
      if (!holds) report([], key, `${key} (${human})`);
    },
  };
}

function plain(...values: readonly unknown[]): Items {
  return values.map((value) => ({ value, kind: undefined }));
}

/** A single boolean as it is, any other single value as true; undefined for nothing. */
function truth(items: Items): boolean | undefined {
  const [only] = items;
  if (only === undefined) return undefined;
  return items.length === 1 && typeof only.value === 'boolean' ? only.value : true;
}

function maybe(value: boolean | undefined): Items {
  return value === undefined ? [] : plain(value);
}

/** The elements of a name: by itself, by its sibling where it has no value, or in each form of a choice. */
function children(items: Items, name: string): Items {
  const found: Item[] = [];
  for (const { value, kind } of items) {
    if (!isMembers(value)) continue;
    const own = value[name] ?? value[`_${name}`];
    if (own !== undefined) take(own, kind?.slots.get(name)?.kind, found);
    else {
      for (const one of kind?.choices.get(name) ?? []) {
        if (!one.startsWith('_')) take(value[one] ?? value[`_${one}`], kind?.slots.get(one)?.kind, found);
      }
    }
  }
  return found;
}

function take(value: unknown, kind: Kind | undefined, found: Item[]): void {
  if (Array.isArray(value)) for (const one of value) found.push({ value: one as unknown, kind });
  else if (value !== undefined) found.push({ value, kind });
}

function descendants(items: Items): Items {
  const found: Item[] = [];
  const open = [...items];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!isMembers(next.value)) continue;
    for (const name of Object.keys(next.value)) {
      const below = name.startsWith('_') ? [] : children([next], name);
      for (const one of below) {
        found.push(one);
        open.push(one);
      }
    }
  }
  return found;
}

/** The same for the same value, so that a set of them compares in linear time. */
function keyOf({ value }: Item): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

const keysOfItems = new WeakMap<Items, ReadonlySet<unknown>>();

function keysOf(items: Items): ReadonlySet<unknown> {
  const known = keysOfItems.get(items) ?? new Set(items.map(keyOf));
  keysOfItems.set(items, known);
  return known;
}

function union(one: Items, other: Items): Items {
  return [...new Map([...one, ...other].map((item) => [keyOf(item), item])).values()];
}

function equals(one: Items, other: Items): boolean | undefined {
  if (one.length === 0 || other.length === 0) return undefined;
  return one.length === other.length && one.every((item, at) => keyOf(item) === keyOf(other[at] ?? item));
}

/** Of dates, only what is certain counts as the wrong order. */
function compare(operation: string, one: Items, other: Items): boolean | undefined {
  const [left, right] = [one[0]?.value, other[0]?.value];
  if (left === undefined || right === undefined) return undefined;
  if (operation.startsWith('<')) return compare(operation.replace('<', '>'), other, one);
  const [early, late] = [timeSpan(left), timeSpan(right)];
  if (early && late)
    return operation === '>' ? isCertainlyAfter(early, late) : !isCertainlyAfter(late, early);
  const [least, most] = typeof left === 'number' ? [left, Number(right)] : [textOf(left), textOf(right)];
  return operation === '>' ? least > most : least >= most;
}

/** A primitive as a text; blank for anything else. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function has(items: Items, one: Items): boolean | undefined {
  const [only] = one;
  return only && keysOf(items).has(keyOf(only));
}

function isOf({ value, kind }: Item, type: string): boolean {
  const known = isMembers(value) ? (value.resourceType ?? kind?.name) : (kind?.name ?? typeof value);
  return typeof known === 'string' && known.toLowerCase() === type.toLowerCase();
}

type Logic = (one: boolean | undefined, other: boolean | undefined) => boolean | undefined;
/** FHIRPath's logic of three values. */
const logic: Readonly<Record<string, Logic>> = {
  and: (one, other) => (one === false || other === false ? false : one && other),
  or: (one, other) => (one === true || other === true ? true : one === undefined ? one : other),
  xor: (one, other) => (one === undefined || other === undefined ? undefined : one !== other),
  implies: (one, other) => (one === false || other === true ? true : one === undefined ? one : other),
};

/** What the left side has to be for the right side not to matter. */
const settling: Readonly<Record<string, boolean>> = { and: false, or: true, implies: false };

type Operation = (one: Items, other: Items) => Items;
const operations: Readonly<Record<string, Operation>> = {
  '=': (one, other) => maybe(equals(one, other)),
  '!=': (one, other) => {
    const same = equals(one, other);
    return maybe(same === undefined ? same : !same);
  },
  '|': union,
  '&': (one, other) => plain([one, other].map((items) => textOf(items[0]?.value)).join('')),
  '+': (one, other) => plain(Number(one[0]?.value) + Number(other[0]?.value)),
  in: (one, other) => maybe(has(other, one)),
  contains: (one, other) => maybe(has(one, other)),
  'combine()': (one, other) => [...one, ...other],
  'intersect()': (one, other) => one.filter((item) => keysOf(other).has(keyOf(item))),
  'contains()': (one, other) => ofTexts(one, other, (text, part) => text.includes(part)),
  'startsWith()': (one, other) => ofTexts(one, other, (text, part) => text.startsWith(part)),
};

function ofTexts(one: Items, other: Items, holds: (text: string, part: string) => boolean): Items {
  const [text, part] = [one[0]?.value, other[0]?.value];
  return typeof text === 'string' && typeof part === 'string' ? plain(holds(text, part)) : [];
}

const functions: Readonly<Record<string, (items: Items) => Items>> = {
  'empty()': (items) => plain(items.length === 0),
  'exists()': (items) => plain(items.length > 0),
  'not()': (items) => {
    const is = truth(items);
    return maybe(is === undefined ? is : !is);
  },
  'count()': (items) => plain(items.length),
  'first()': (items) => items.slice(0, 1),
  'hasValue()': (items) => plain(items.length === 1 && !isMembers(items[0]?.value)),
  'isDistinct()': (items) => plain(new Set(items.map(keyOf)).size === items.length),
  'descendants()': descendants,
  'toInteger()': (items) => {
    const number = Number(items[0]?.value);
    return Number.isInteger(number) ? plain(number) : [];
  },
};

/** Functions that look at their argument once for each item. */
const perItem: Readonly<Record<string, (items: Items, of: (item: Item) => Items) => Items>> = {
  'where()': (items, of) => items.filter((item) => truth(of(item)) === true),
  'exists()': (items, of) => plain(items.some((item) => truth(of(item)) === true)),
  'all()': (items, of) => plain(items.every((item) => truth(of(item)) === true)),
  'select()': (items, of) => items.flatMap(of),
};

function isTerm(part: InvariantTerm[number] | undefined): part is InvariantTerm {
  return typeof part === 'object';
}

function isFromRoot([operation, base]: InvariantTerm): boolean {
  return operation === 'root' || (operation === '.' && isTerm(base) && isFromRoot(base));
}

function evaluate(term: InvariantTerm, scope: Scope): Items {
  if (term[0] !== '.' || !isFromRoot(term)) return compute(term, scope);
  const items = scope.known.get(term) ?? compute(term, scope);
  scope.known.set(term, items);
  return items;
}

function compute(term: InvariantTerm, scope: Scope): Items {
  const operation = String(term[0]);
  const first = term[1];
  const second = term[2];
  if (operation === 'literal') return plain(first);
  if (operation === 'this') return scope.focus;
  if (operation === 'root') return scope.root;
  const one = isTerm(first) ? evaluate(first, scope) : [];
  if (typeof second === 'string') return byName(operation, one, second);
  if (!isTerm(second)) return functions[operation]?.(one) ?? [];
  const ofEach = perItem[operation];
  if (ofEach) return ofEach(one, (item) => evaluate(second, { ...scope, focus: [item] }));
  const decide = logic[operation];
  if (decide) {
    const left = truth(one);
    // What the left side settles needs no right side.
    return maybe(
      left === settling[operation] ? decide(left, undefined) : decide(left, truth(evaluate(second, scope))),
    );
  }
  const other = evaluate(second, scope);
  if (operation.startsWith('<') || operation.startsWith('>')) return maybe(compare(operation, one, other));
  return operations[operation]?.(one, other) ?? [];
}

function byName(operation: string, items: Items, name: string): Items {
  switch (operation) {
    case '.':
      return children(items, name);
    case 'is':
      return items.length === 0 ? [] : plain(items.every((item) => isOf(item, name)));
    case 'as':
      return items.filter((item) => isOf(item, name));
    case 'matches':
      return items.map(({ value }) => ({
        value: /[A-Z]([A-Za-z0-9_]){0,254}/.test(String(value)),
        kind: undefined,
      }));
    default:
      return [];
  }
}
