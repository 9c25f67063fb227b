/**
 * A record that fulfils a profile and has something to break at each of its demands, made by walking the snapshot of its
 * StructureDefinition. It knows nothing of how profiles are compiled here.
 */
import type { Definition } from '../conformance.ts';
import type { Json } from './judged.ts';

/** An element of a snapshot, with those below it. */
export interface Node {
  readonly element: Json;
  readonly children: Node[];
  readonly slices: Node[];
}

/** What the snapshot does not tell. */
export interface Given {
  /** A record that is valid in R4, of the profile's type. */
  readonly base: Json;
  /** Values of elements, by id. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** A reference to a resource that fulfils a profile. */
  referenceTo(profile: string): string;
}

export interface Grown {
  readonly record: Json;
  readonly root: Node;
  /** Where the values of an element stand, by its id. */
  readonly places: ReadonlyMap<string, readonly (readonly string[])[]>;
}

export function grown(definition: Definition, given: Given): Grown {
  const root = treeOf(definition);
  const places = new Map<string, string[][]>();
  const record = structuredClone(given.base);
  fill(record, [root], [], { places, given });
  return { record, root, places };
}

/** The elements of a snapshot as a tree; without slices of slices, which are refused. */
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

interface Growing {
  readonly places: Map<string, string[][]>;
  readonly given: Given;
}

/** Gives a value what is demanded below it; the layers are the slice that it is in, and the element that is sliced. */
function fill(value: Json, layers: readonly Node[], tokens: readonly string[], growing: Growing): void {
  const names = new Set(layers.flatMap(({ children }) => children.map(({ element }) => element.path)));
  for (const path of names) {
    const own = layers.flatMap(({ children }) => children.filter(({ element }) => element.path === path));
    const isMandatory = own.some(({ element }) => element.min > 0);
    if ((isMandatory || own.some(isWanted)) && !own.some(({ element }) => element.max === '0'))
      grow(value, own, tokens, growing);
  }
}

function grow(value: Json, layers: readonly Node[], tokens: readonly string[], growing: Growing): void {
  const slices = layers
    .flatMap((layer) => layer.slices)
    .filter((slice) => isWanted(slice) && slice.element.max !== '0');
  const members = slices.length > 0 ? slices.map((slice) => [slice, ...layers]) : [layers];
  for (const [at, member] of members.entries()) {
    const name = nameOf(member);
    if (!isArray(member)) {
      value[name] = made(member, value[name], growing);
      place(member, [...tokens, name], value[name], growing);
      continue;
    }
    const all = (value[name] ??= []);
    all[at] = made(member, all[at], growing);
    place(member, [...tokens, name, String(at)], all[at], growing);
  }
}

function place(layers: readonly Node[], tokens: string[], value: Json, growing: Growing): void {
  for (const { element } of layers)
    growing.places.set(element.id, [...(growing.places.get(element.id) ?? []), tokens]);
  if (typeof value === 'object') fill(value, layers, tokens, growing);
}

/** Whether an element, or one below it, can be broken that R4 leaves open. */
function isWanted({ element, children, slices }: Node): boolean {
  const { min, max, sliceName, base } = element;
  return (
    (min > 0 && (sliceName !== undefined || min !== base.min)) ||
    (max !== '*' && (sliceName !== undefined || max !== base.max)) ||
    stated(element) !== undefined ||
    children.some(isWanted) ||
    slices.some(isWanted)
  );
}

/** The kind and the value of `fixed[x]` or `pattern[x]`. */
export function stated(element: Json): readonly ['fixed' | 'pattern', Json] | undefined {
  const key = Object.keys(element).find((one) => /^(?:fixed|pattern)[A-Z]/.test(one));
  return key === undefined ? undefined : [key.startsWith('fixed') ? 'fixed' : 'pattern', element[key]];
}

/** The member's name; of a choice with its first type. */
function nameOf(layers: readonly Node[]): string {
  const last = layers[0]?.element.path.split('.').at(-1);
  const [type = ''] = typesOf(layers).map(({ code }) => String(code));
  return last.replace('[x]', type.charAt(0).toUpperCase() + type.slice(1));
}

export function isArray(layers: readonly Node[]): boolean {
  const { base } = layers[0]?.element ?? {};
  return base.max !== '1' && base.max !== '0';
}

function typesOf(layers: readonly Node[]): readonly Json[] {
  return layers.find(({ element }) => element.type !== undefined)?.element.type ?? [];
}

function made(layers: readonly Node[], before: Json, { given }: Growing): Json {
  for (const { element } of layers) {
    const value = stated(element)?.[1] ?? given.values?.[element.id];
    if (value !== undefined) return structuredClone(value);
  }
  if (before !== undefined) return before;
  const [type] = typesOf(layers);
  if (type?.code === 'Reference') return { reference: given.referenceTo(type.targetProfile[0]) };
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
