import { pointerOfPath } from '../../../core/fhir/expression.ts';
import { serverOwned } from '../../../core/fhir/record.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { formatPointer } from '../../../core/json/pointer.ts';

const mostSuggestions = 50;

/** Paths of the record that hold what was typed in any notation, those that begin with it first. */
export function suggestPaths(paths: readonly string[], typed: string, type: ResourceType): string[] {
  const wanted = typed.trim().toLowerCase();
  const pointer = pointerOfPath(typed, type).toLowerCase();
  const found = paths
    .map((path) => ({ path, lower: path.toLowerCase() }))
    .filter(({ lower }) => lower.includes(wanted) || lower.startsWith(pointer));
  const begins = found.filter(({ lower }) => lower.startsWith(pointer));
  return [...new Set([...begins, ...found])].slice(0, mostSuggestions).map(({ path }) => path);
}

/** Every path of the record that a patch may replace, in document order; `/language` is always one. */
export function pathsOf(record: JsonNode): string[] {
  const paths = [...pointers(record, [])].filter((path) => !serverOwned.has(path));
  return paths.includes('/language') ? paths : ['/language', ...paths];
}

function* pointers(node: JsonNode, path: readonly string[]): Generator<string> {
  if (path.length > 0) yield formatPointer(path);
  if (node.kind === 'object')
    for (const { key, value } of node.members) yield* pointers(value, [...path, key]);
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) yield* pointers(item, [...path, String(index)]);
  }
}

/** A line of the record's tree. */
export interface TreeRow {
  readonly path: string;
  readonly depth: number;
  /** The element's own name, or `[0]` for an item of a list. */
  readonly name: string;
  /** Absent for `/language` where the record has none: the one element that a patch may add. */
  readonly node?: JsonNode;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

/** The lines of the record's tree, with those parts open whose paths are in `expanded`. */
export function treeRows(record: JsonNode, expanded: ReadonlySet<string>): TreeRow[] {
  const rows = [...branch(record, [], expanded)];
  if (record.kind !== 'object' || record.members.some(({ key }) => key === 'language')) return rows;
  return [...rows, { path: '/language', depth: 0, name: 'language', expandable: false, expanded: false }];
}

function* branch(node: JsonNode, path: readonly string[], expanded: ReadonlySet<string>): Generator<TreeRow> {
  for (const [token, name, child] of childrenOf(node)) {
    const tokens = [...path, token];
    const at = formatPointer(tokens);
    const expandable =
      (child.kind === 'object' && child.members.length > 0) ||
      (child.kind === 'array' && child.items.length > 0);
    const open = expandable && expanded.has(at);
    yield { path: at, depth: path.length, name, node: child, expandable, expanded: open };
    if (open) yield* branch(child, tokens, expanded);
  }
}

function childrenOf(node: JsonNode): readonly (readonly [token: string, name: string, child: JsonNode])[] {
  if (node.kind === 'object') return node.members.map(({ key, value }) => [key, key, value]);
  if (node.kind === 'array') return node.items.map((item, index) => [String(index), `[${index}]`, item]);
  return [];
}
