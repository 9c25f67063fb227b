import { isCertainlyAfter, timeSpan } from '../../types/definition/dates.ts';
import { isPlainObject, type TypeRule, type CompiledType } from '../../types/definition/rule.ts';
import type { InvariantRow, InvariantTerm } from './generated/element-table.js';
import { ruleOf } from './rules.ts';

/**
 * An element and its type. Invariants are terms built by scripts/schema-invariants.ts: FHIRPath without
 * operations that take longer than linear time. Types resolve names, so that `value` finds `valueString`.
 */
interface Item {
  readonly value: unknown;
  readonly kind: CompiledType | undefined;
}
type Items = readonly Item[];

interface Scope {
  readonly focus: Items;
  readonly root: Items;
  /** Results of paths from the root. A list is built once, although each item reads it. */
  readonly cachedItems: Map<InvariantTerm, Items>;
}

/** Returns the validator of an invariant. */
export function invariantJudge([key, severity, human, term]: InvariantRow): TypeRule {
  const rule = ruleOf(severity === 'error' ? 'r4-invariant' : 'r4-advice');
  return {
    rule,
    nextChangeAt: undefined,
    check: (element, report, { kind }) => {
      const focus = [{ value: element, kind }];
      const result = evaluate(term, { focus, root: focus, cachedItems: new Map() });
      // Best practices of R4 are broken by present elements, not by missing ones.
      const isSatisfied = severity === 'error' ? truth(result) === true : truth(result) !== false;
      if (!isSatisfied) report([], key, `${key} (${human})`);
    },
  };
}

function toPlainItems(...values: readonly unknown[]): Items {
  return values.map((value) => ({ value, kind: undefined }));
}

/** Returns a single boolean unchanged, true for any other single value and undefined for no value. */
function truth(items: Items): boolean | undefined {
  const [firstItem] = items;
  if (firstItem === undefined) return undefined;
  return items.length === 1 && typeof firstItem.value === 'boolean' ? firstItem.value : true;
}

function toItems(value: boolean | undefined): Items {
  return value === undefined ? [] : toPlainItems(value);
}

/** Returns the elements of a name: the member, its sibling if it has no value, or each form of a choice. */
function children(items: Items, name: string): Items {
  const matches: Item[] = [];
  for (const { value, kind } of items) {
    if (!isPlainObject(value)) continue;
    const direct = value[name] ?? value[`_${name}`];
    if (direct !== undefined) append(direct, kind?.slots.get(name)?.kind, matches);
    else {
      for (const choiceName of kind?.choices.get(name) ?? []) {
        if (!choiceName.startsWith('_'))
          append(value[choiceName] ?? value[`_${choiceName}`], kind?.slots.get(choiceName)?.kind, matches);
      }
    }
  }
  return matches;
}

function append(value: unknown, kind: CompiledType | undefined, target: Item[]): void {
  if (Array.isArray(value)) for (const item of value) target.push({ value: item as unknown, kind });
  else if (value !== undefined) target.push({ value, kind });
}

function descendants(items: Items): Items {
  const matches: Item[] = [];
  const open = [...items];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!isPlainObject(next.value)) continue;
    for (const name of Object.keys(next.value)) {
      const childItems = name.startsWith('_') ? [] : children([next], name);
      for (const child of childItems) {
        matches.push(child);
        open.push(child);
      }
    }
  }
  return matches;
}

/** Returns an equal key for equal values, so that sets compare in linear time. */
function toKey({ value }: Item): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

const keysOfItems = new WeakMap<Items, ReadonlySet<unknown>>();

function getKeys(items: Items): ReadonlySet<unknown> {
  const keys = keysOfItems.get(items) ?? new Set(items.map(toKey));
  keysOfItems.set(items, keys);
  return keys;
}

function union(leftItems: Items, rightItems: Items): Items {
  return [...new Map([...leftItems, ...rightItems].map((item) => [toKey(item), item])).values()];
}

function equals(leftItems: Items, rightItems: Items): boolean | undefined {
  if (leftItems.length === 0 || rightItems.length === 0) return undefined;
  return (
    leftItems.length === rightItems.length &&
    leftItems.every((item, index) => toKey(item) === toKey(rightItems[index] ?? item))
  );
}

/** Compares two values. For dates, only a certain order counts as wrong. */
function compare(operation: string, leftItems: Items, rightItems: Items): boolean | undefined {
  const [leftValue, rightValue] = [leftItems[0]?.value, rightItems[0]?.value];
  if (leftValue === undefined || rightValue === undefined) return undefined;
  if (operation.startsWith('<')) return compare(operation.replace('<', '>'), rightItems, leftItems);
  const [early, late] = [timeSpan(leftValue), timeSpan(rightValue)];
  if (early && late)
    return operation === '>' ? isCertainlyAfter(early, late) : !isCertainlyAfter(late, early);
  const [lower, upper] =
    typeof leftValue === 'number' ? [leftValue, Number(rightValue)] : [textOf(leftValue), textOf(rightValue)];
  return operation === '>' ? lower > upper : lower >= upper;
}

/** Returns a primitive as text and an empty text for anything else. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function has(items: Items, searched: Items): boolean | undefined {
  const [searchedItem] = searched;
  return searchedItem && getKeys(items).has(toKey(searchedItem));
}

function isOfType({ value, kind }: Item, type: string): boolean {
  const typeName = isPlainObject(value) ? (value.resourceType ?? kind?.name) : (kind?.name ?? typeof value);
  return typeof typeName === 'string' && typeName.toLowerCase() === type.toLowerCase();
}

type Logic = (leftTruth: boolean | undefined, rightTruth: boolean | undefined) => boolean | undefined;
/** FHIRPath's three-valued logic. */
const logic: Readonly<Record<string, Logic>> = {
  and: (leftTruth, rightTruth) =>
    leftTruth === false || rightTruth === false ? false : leftTruth && rightTruth,
  or: (leftTruth, rightTruth) =>
    leftTruth === true || rightTruth === true ? true : leftTruth === undefined ? leftTruth : rightTruth,
  xor: (leftTruth, rightTruth) =>
    leftTruth === undefined || rightTruth === undefined ? undefined : leftTruth !== rightTruth,
  implies: (leftTruth, rightTruth) =>
    leftTruth === false || rightTruth === true ? true : leftTruth === undefined ? leftTruth : rightTruth,
};

/** Left operands that decide the result without the right operand. */
const decidingValues: Readonly<Record<string, boolean>> = { and: false, or: true, implies: false };

type Operation = (leftItems: Items, rightItems: Items) => Items;
const operations: Readonly<Record<string, Operation>> = {
  '=': (leftItems, rightItems) => toItems(equals(leftItems, rightItems)),
  '!=': (leftItems, rightItems) => {
    const isEqual = equals(leftItems, rightItems);
    return toItems(isEqual === undefined ? isEqual : !isEqual);
  },
  '|': union,
  '&': (leftItems, rightItems) =>
    toPlainItems([leftItems, rightItems].map((items) => textOf(items[0]?.value)).join('')),
  '+': (leftItems, rightItems) => toPlainItems(Number(leftItems[0]?.value) + Number(rightItems[0]?.value)),
  in: (leftItems, rightItems) => toItems(has(rightItems, leftItems)),
  contains: (leftItems, rightItems) => toItems(has(leftItems, rightItems)),
  'combine()': (leftItems, rightItems) => [...leftItems, ...rightItems],
  'intersect()': (leftItems, rightItems) => leftItems.filter((item) => getKeys(rightItems).has(toKey(item))),
  'contains()': (leftItems, rightItems) =>
    compareTexts(leftItems, rightItems, (text, part) => text.includes(part)),
  'startsWith()': (leftItems, rightItems) =>
    compareTexts(leftItems, rightItems, (text, part) => text.startsWith(part)),
};

function compareTexts(
  leftItems: Items,
  rightItems: Items,
  matches: (text: string, part: string) => boolean,
): Items {
  const [text, part] = [leftItems[0]?.value, rightItems[0]?.value];
  return typeof text === 'string' && typeof part === 'string' ? toPlainItems(matches(text, part)) : [];
}

const functions: Readonly<Record<string, (items: Items) => Items>> = {
  'empty()': (items) => toPlainItems(items.length === 0),
  'exists()': (items) => toPlainItems(items.length > 0),
  'not()': (items) => {
    const value = truth(items);
    return toItems(value === undefined ? value : !value);
  },
  'count()': (items) => toPlainItems(items.length),
  'first()': (items) => items.slice(0, 1),
  'hasValue()': (items) => toPlainItems(items.length === 1 && !isPlainObject(items[0]?.value)),
  'isDistinct()': (items) => toPlainItems(new Set(items.map(toKey)).size === items.length),
  'descendants()': descendants,
  'toInteger()': (items) => {
    const number = Number(items[0]?.value);
    return Number.isInteger(number) ? toPlainItems(number) : [];
  },
};

/** Functions that evaluate their argument once for each item. */
const perItem: Readonly<Record<string, (items: Items, evaluateItem: (item: Item) => Items) => Items>> = {
  'where()': (items, evaluateItem) => items.filter((item) => truth(evaluateItem(item)) === true),
  'exists()': (items, evaluateItem) => toPlainItems(items.some((item) => truth(evaluateItem(item)) === true)),
  'all()': (items, evaluateItem) => toPlainItems(items.every((item) => truth(evaluateItem(item)) === true)),
  'select()': (items, evaluateItem) => items.flatMap(evaluateItem),
};

function isTerm(part: InvariantTerm[number] | undefined): part is InvariantTerm {
  return typeof part === 'object';
}

function isFromRoot([operation, base]: InvariantTerm): boolean {
  return operation === 'root' || (operation === '.' && isTerm(base) && isFromRoot(base));
}

function evaluate(term: InvariantTerm, scope: Scope): Items {
  if (term[0] !== '.' || !isFromRoot(term)) return compute(term, scope);
  const items = scope.cachedItems.get(term) ?? compute(term, scope);
  scope.cachedItems.set(term, items);
  return items;
}

function compute(term: InvariantTerm, scope: Scope): Items {
  const operation = String(term[0]);
  const firstArgument = term[1];
  const secondArgument = term[2];
  if (operation === 'literal') return toPlainItems(firstArgument);
  if (operation === 'this') return scope.focus;
  if (operation === 'root') return scope.root;
  const leftItems = isTerm(firstArgument) ? evaluate(firstArgument, scope) : [];
  if (typeof secondArgument === 'string') return byName(operation, leftItems, secondArgument);
  if (!isTerm(secondArgument)) return functions[operation]?.(leftItems) ?? [];
  const itemFunction = perItem[operation];
  if (itemFunction)
    return itemFunction(leftItems, (item) => evaluate(secondArgument, { ...scope, focus: [item] }));
  const decide = logic[operation];
  if (decide) {
    const leftTruth = truth(leftItems);
    // A deciding left operand makes the right operand unnecessary.
    return toItems(
      leftTruth === decidingValues[operation]
        ? decide(leftTruth, undefined)
        : decide(leftTruth, truth(evaluate(secondArgument, scope))),
    );
  }
  const rightItems = evaluate(secondArgument, scope);
  if (operation.startsWith('<') || operation.startsWith('>'))
    return toItems(compare(operation, leftItems, rightItems));
  return operations[operation]?.(leftItems, rightItems) ?? [];
}

function byName(operation: string, items: Items, name: string): Items {
  switch (operation) {
    case '.':
      return children(items, name);
    case 'is':
      return items.length === 0 ? [] : toPlainItems(items.every((item) => isOfType(item, name)));
    case 'as':
      return items.filter((item) => isOfType(item, name));
    case 'matches':
      return items.map(({ value }) => ({
        value: /[A-Z]([A-Za-z0-9_]){0,254}/.test(String(value)),
        kind: undefined,
      }));
    default:
      return [];
  }
}
