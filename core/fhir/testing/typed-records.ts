/** Random records and edits from the element table of R4, for property tests. */
import type { Json, Members } from '../../json/testing/edits.ts';
import { rowsOf } from '../element-rows.ts';
import { typeOfRow } from '../element-type.ts';
import type { ElementRow } from '../validation/generated/element-table.js';

/** Returns a number from 0 to `limit`, exclusive. */
export type Draw = (limit: number) => number;

/** Creates a generator of the numbers of a seed (mulberry32). */
export function createDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Names with repeated values, so that items of a list have equal and ambiguous keys. */
const shared = new Set(['system', 'code', 'url', 'reference', 'status', 'title']);

/** Members that generated elements have more often than others. */
const favored = new Set([
  'activity',
  'detail',
  'section',
  'extension',
  'contained',
  'code',
  'entry',
  'category',
]);

const containedTypes = ['Goal', 'MedicationRequest', 'Observation'];

/** Builds elements with marked, numbered scalars, so that a loss is visible. */
export class RecordBuilder {
  private readonly draw: Draw;
  private readonly mark: string;
  private count = 0;

  constructor(draw: Draw, mark: string) {
    this.draw = draw;
    this.mark = mark;
  }

  resource(type: string): Members {
    return { resourceType: type, ...this.members(type, 4, 6) };
  }

  /** Adds one element that `owner` does not have. */
  add(owner: Members, type: string): void {
    const element = this.pick(owner, type);
    if (element) this.set(owner, element, 2);
  }

  scalar(name = ''): string {
    if (shared.has(name)) return `x${this.draw(3)}`;
    this.count += 1;
    return `${this.mark}${this.count}`;
  }

  value(row: ElementRow, name: string, depth: number): Json {
    if (typeOfRow(row).primitive) return this.scalar(name);
    const type = row.type === 'Contained' ? (containedTypes[this.draw(3)] ?? '') : row.type;
    if (row.type === 'Contained')
      return { resourceType: type, id: `x${this.draw(3)}`, ...this.members(type, depth, 4) };
    return this.members(type, depth, 3);
  }

  private members(type: string, depth: number, maxMembers: number): Members {
    const owner: Members = {};
    for (let remainingCount = 1 + this.draw(maxMembers); remainingCount > 0; remainingCount -= 1) {
      const element = this.pick(owner, type);
      if (element) this.set(owner, element, depth);
    }
    return owner;
  }

  private set(owner: Members, { name, row }: TypedElement, depth: number): void {
    if (depth === 0 && !typeOfRow(row).primitive) return;
    const length = row.repeats ? 1 + this.draw(3) : 1;
    const values = Array.from({ length }, () => this.value(row, name, depth - 1));
    owner[name] = row.repeats ? values : (values[0] ?? '');
    if (!typeOfRow(row).primitive || this.draw(6) > 0 || name === 'id') return;
    const siblings = values.map((): Json =>
      this.draw(2) === 0 ? { id: this.scalar() } : { extension: [{ url: 'x1', valueString: this.scalar() }] },
    );
    owner[`_${name}`] = row.repeats ? siblings : (siblings[0] ?? {});
  }

  /** Picks an element of a choice that is still free, favored ones more often. */
  private pick(owner: Members, type: string): TypedElement | undefined {
    const { elements, favorites } = elementsOf(type);
    const from = favorites.length > 0 && this.draw(2) === 0 ? favorites : elements;
    for (let tries = 0; tries < 4; tries += 1) {
      const element = from[this.draw(Math.max(from.length, 1))];
      if (element?.options.every((name) => !Object.hasOwn(owner, name))) return element;
    }
    return undefined;
  }
}

interface TypedElement {
  readonly name: string;
  readonly row: ElementRow;
  /** Names of the same choice, or only the element's name. */
  readonly options: readonly string[];
}

interface TypedElements {
  readonly elements: readonly TypedElement[];
  readonly favorites: readonly TypedElement[];
}

const elementsByType = new Map<string, TypedElements>();

function elementsOf(type: string): TypedElements {
  const cachedElements = elementsByType.get(type);
  if (cachedElements) return cachedElements;
  const rows = Object.entries(rowsOf(type) ?? {});
  const elements = rows.map(([name, row]): TypedElement => {
    const options = rows.flatMap(([otherName, { choice }]) => (choice === row.choice ? [otherName] : []));
    return { name, row, options: row.choice === undefined ? [name] : options };
  });
  const typedElements = { elements, favorites: elements.filter(({ name }) => favored.has(name)) };
  elementsByType.set(type, typedElements);
  return typedElements;
}

/** Returns the type of a resource; an empty text if it has none. */
export function resourceTypeOf({ resourceType }: Members): string {
  return typeof resourceType === 'string' ? resourceType : '';
}

/** An object of a known type inside a record. */
interface TypedObject {
  readonly node: Members;
  readonly type: string;
}

function* typedObjects(node: Members, type: string): Generator<TypedObject> {
  yield { node, type };
  const rows = rowsOf(type) ?? {};
  for (const [name, value] of Object.entries(node)) {
    const row = rows[name.replace(/^_/, '')];
    if (!row) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) continue;
      const itemType = row.type === 'Contained' ? resourceTypeOf(item) : row.type;
      yield* typedObjects(item, typeOfRow(row).primitive ? 'Element' : itemType);
    }
  }
}

export const editKinds = ['scalar', 'scalar', 'remove', 'add', 'choice', 'item', 'move', 'sibling'] as const;

export interface TypedEdit {
  readonly kind: (typeof editKinds)[number];
  readonly owner: number;
  readonly seed: number;
}

/** Returns a copy of a record after the edits. Scalars of an edit begin with the mark. */
export function editRecord(record: Members, edits: readonly TypedEdit[], mark: string): Members {
  const root = JSON.parse(JSON.stringify(record)) as Members;
  for (const [index, { kind, owner, seed }] of edits.entries()) {
    const objects = [...typedObjects(root, resourceTypeOf(root))];
    const target = objects[owner % objects.length];
    const draw = createDraw(seed);
    if (target) edit(target, kind, draw, new RecordBuilder(draw, `${mark}${index}.`));
  }
  return root;
}

function edit(
  { node, type }: TypedObject,
  kind: TypedEdit['kind'],
  draw: Draw,
  builder: RecordBuilder,
): void {
  const rows = rowsOf(type) ?? {};
  const names = Object.keys(node).filter((name) => name !== 'resourceType');
  const pick = <Item>(list: readonly Item[]): Item | undefined => list[draw(Math.max(list.length, 1))];
  if (kind === 'add') builder.add(node, type);
  if (kind === 'remove') Reflect.deleteProperty(node, pick(names) ?? '');
  if (kind === 'scalar') {
    const name = pick(names.filter((key) => typeof node[key] === 'string'));
    if (name !== undefined) node[name] = builder.scalar(name);
  }
  if (kind === 'sibling') {
    const name = pick(names.filter((key) => typeof node[key] === 'string' && rows[key] !== undefined));
    if (name !== undefined) node[`_${name}`] = { id: builder.scalar() };
  }
  if (kind === 'choice') {
    const selected = pick(
      elementsOf(type).elements.filter(({ name, row }) => row.choice && Object.hasOwn(node, name)),
    );
    const option = pick(selected?.options ?? []);
    const row = option === undefined ? undefined : rows[option];
    if (!selected || option === undefined || !row) return;
    for (const key of selected.options)
      for (const removedName of [key, `_${key}`]) Reflect.deleteProperty(node, removedName);
    node[option] = builder.value(row, option, 2);
  }
  const name = pick(names.filter((key) => Array.isArray(node[key]) && !key.startsWith('_')));
  const list = name === undefined ? undefined : node[name];
  const row = name === undefined ? undefined : rows[name];
  if (!Array.isArray(list) || !row) return;
  const position = draw(Math.max(list.length, 1));
  if (kind === 'move') list.splice(draw(Math.max(list.length, 1)), 0, ...list.splice(position, 1));
  if (kind === 'item' && draw(2) === 0) list.splice(position, 1);
  else if (kind === 'item') list.splice(position, 0, builder.value(row, name ?? '', 2));
}
