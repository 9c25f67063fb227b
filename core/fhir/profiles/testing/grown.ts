/**
 * Grows a record that fulfils a profile and has a value for each of its rules, from the snapshot of the
 * StructureDefinition. Independent of the profile compiler.
 */
import type { Definition } from '../conformance.ts';
import type { Json } from './judged.ts';

/** An element of a snapshot and its children. */
export interface Node {
  readonly element: Json;
  readonly children: Node[];
  readonly slices: Node[];
}

/** Values that the snapshot does not define. */
export interface GrowOptions {
  /** A valid R4 record of the profile's type. */
  readonly base: Json;
  /** Values of elements by id. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Returns a reference to a resource that fulfils a profile. */
  referenceTo(profile: string): string;
}

export interface Grown {
  readonly record: Json;
  readonly root: Node;
  /** Tokens of an element's values by its id. */
  readonly places: ReadonlyMap<string, readonly (readonly string[])[]>;
}

export function growRecord(definition: Definition, options: GrowOptions): Grown {
  const root = treeOf(definition);
  const places = new Map<string, string[][]>();
  const record = structuredClone(options.base);
  fill(record, [root], [], { places, options });
  return { record, root, places };
}

/** Builds the tree of a snapshot's elements, without slices of slices. */
function treeOf(definition: Definition): Node {
  const nodes = new Map<string, Node>();
  let root: Node | undefined;
  for (const element of (definition as Json).snapshot.element) {
    const { id, sliceName } = element;
    if (/:[^.]*\//.test(id)) continue;
    const node: Node = { element, children: [], slices: [] };
    nodes.set(id, node);
    root ??= node;
    if (sliceName === undefined) nodes.get(id.slice(0, id.lastIndexOf('.')))?.children.push(node);
    else nodes.get(id.slice(0, id.lastIndexOf(':')))?.slices.push(node);
  }
  if (!root) throw new Error('a snapshot without elements');
  return root;
}

interface GrowContext {
  readonly places: Map<string, string[][]>;
  readonly options: GrowOptions;
}

/** Fills in the children of a value. The layers are its slice and the sliced element. */
function fill(value: Json, layers: readonly Node[], tokens: readonly string[], context: GrowContext): void {
  const names = new Set(layers.flatMap(({ children }) => children.map(({ element }) => element.path)));
  for (const path of names) {
    const childNodes = layers.flatMap(({ children }) =>
      children.filter(({ element }) => element.path === path),
    );
    const isMandatory = childNodes.some(({ element }) => element.min > 0);
    if ((isMandatory || childNodes.some(isWanted)) && !childNodes.some(({ element }) => element.max === '0'))
      grow(value, childNodes, tokens, context);
  }
}

function grow(value: Json, layers: readonly Node[], tokens: readonly string[], context: GrowContext): void {
  const slices = layers
    .flatMap((layer) => layer.slices)
    .filter((slice) => isWanted(slice) && slice.element.max !== '0');
  const members = slices.length > 0 ? slices.map((slice) => [slice, ...layers]) : [layers];
  for (const [index, member] of members.entries()) {
    const name = nameOf(member);
    if (!isArray(member)) {
      value[name] = createValue(member, value[name], context);
      place(member, [...tokens, name], value[name], context);
      continue;
    }
    const values = (value[name] ??= []);
    values[index] = createValue(member, values[index], context);
    place(member, [...tokens, name, String(index)], values[index], context);
  }
}

function place(layers: readonly Node[], tokens: string[], value: Json, context: GrowContext): void {
  for (const { element } of layers)
    context.places.set(element.id, [...(context.places.get(element.id) ?? []), tokens]);
  if (typeof value === 'object') fill(value, layers, tokens, context);
}

/** Returns true if an element, or one below it, has a rule beyond R4. */
function isWanted({ element, children, slices }: Node): boolean {
  const { min, max, sliceName, base } = element;
  return (
    (min > 0 && (sliceName !== undefined || min !== base.min)) ||
    (max !== '*' && (sliceName !== undefined || max !== base.max)) ||
    readFixedValue(element) !== undefined ||
    children.some(isWanted) ||
    slices.some(isWanted)
  );
}

/** Returns the kind and value of `fixed[x]` or `pattern[x]`. */
export function readFixedValue(element: Json): readonly ['fixed' | 'pattern', Json] | undefined {
  const key = Object.keys(element).find((name) => /^(?:fixed|pattern)[A-Z]/.test(name));
  return key === undefined ? undefined : [key.startsWith('fixed') ? 'fixed' : 'pattern', element[key]];
}

/** Returns the member's name. A choice gets its first type. */
function nameOf(layers: readonly Node[]): string {
  const lastName = layers[0]?.element.path.split('.').at(-1);
  const [type = ''] = typesOf(layers).map(({ code }) => String(code));
  return lastName.replace('[x]', type.charAt(0).toUpperCase() + type.slice(1));
}

export function isArray(layers: readonly Node[]): boolean {
  const { base } = layers[0]?.element ?? {};
  return base.max !== '1' && base.max !== '0';
}

function typesOf(layers: readonly Node[]): readonly Json[] {
  return layers.find(({ element }) => element.type !== undefined)?.element.type ?? [];
}

function createValue(layers: readonly Node[], before: Json, { options }: GrowContext): Json {
  for (const { element } of layers) {
    const value = readFixedValue(element)?.[1] ?? options.values?.[element.id];
    if (value !== undefined) return structuredClone(value);
  }
  if (before !== undefined) return before;
  const [type] = typesOf(layers);
  if (type?.code === 'Reference') return { reference: options.referenceTo(type.targetProfile[0]) };
  const hasParts = layers.some(({ children }) => children.length > 0);
  return structuredClone(samples[type?.code] ?? (hasParts ? {} : 'x'));
}

const samples: Readonly<Record<string, unknown>> = {
  uri: 'http://ward.example/x',
  date: '2026-01-02',
  dateTime: '2026-01-02',
  Period: { start: '2026-01-02', end: '2026-01-03' },
  Narrative: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' },
  CodeableConcept: { text: 'x' },
};
