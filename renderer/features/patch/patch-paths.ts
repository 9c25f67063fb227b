import { pointerOfPath } from '../../../core/fhir/validation/finding.ts';
import { serverOwned } from '../../../core/fhir/record.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { formatPointer } from '../../../core/json/pointer.ts';

const maxSuggestions = 50;

/** Returns the paths that contain the typed text in any notation. Paths that start with it come first. */
export function suggestPaths(paths: readonly string[], input: string, type: ResourceType): string[] {
  const searchText = input.trim().toLowerCase();
  const pointer = pointerOfPath(input, type).toLowerCase();
  const matches = paths
    .map((path) => ({ path, lower: path.toLowerCase() }))
    .filter(({ lower }) => lower.includes(searchText) || lower.startsWith(pointer));
  const prefixMatches = matches.filter(({ lower }) => lower.startsWith(pointer));
  return [...new Set([...prefixMatches, ...matches])].slice(0, maxSuggestions).map(({ path }) => path);
}

/** Returns every path that a patch may replace, in document order. Always includes `/language`. */
export function pathsOf(record: JsonNode): string[] {
  const paths = [...walkPointers(record, [])].filter((path) => !serverOwned.has(path));
  return paths.includes('/language') ? paths : ['/language', ...paths];
}

function* walkPointers(node: JsonNode, path: readonly string[]): Generator<string> {
  if (path.length > 0) yield formatPointer(path);
  if (node.kind === 'object')
    for (const { key, value } of node.members) yield* walkPointers(value, [...path, key]);
  if (node.kind === 'array') {
    for (const [index, item] of node.items.entries()) yield* walkPointers(item, [...path, String(index)]);
  }
}

export interface TreeRow {
  readonly path: string;
  readonly depth: number;
  /** Name of the element, or `[0]` for an item of a list. */
  readonly name: string;
  /** Undefined for a missing `/language`, the only element that a patch may add. */
  readonly node?: JsonNode;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

/** Returns the rows of the element tree. Branches whose paths are in `expanded` are open. */
export function treeRows(record: JsonNode, expanded: ReadonlySet<string>): TreeRow[] {
  const rows = [...branch(record, [], expanded)];
  if (record.kind !== 'object' || record.members.some(({ key }) => key === 'language')) return rows;
  return [...rows, { path: '/language', depth: 0, name: 'language', expandable: false, expanded: false }];
}

function* branch(node: JsonNode, path: readonly string[], expanded: ReadonlySet<string>): Generator<TreeRow> {
  for (const [token, name, child] of childrenOf(node)) {
    const tokens = [...path, token];
    const pointer = formatPointer(tokens);
    const expandable =
      (child.kind === 'object' && child.members.length > 0) ||
      (child.kind === 'array' && child.items.length > 0);
    const isOpen = expandable && expanded.has(pointer);
    yield { path: pointer, depth: path.length, name, node: child, expandable, expanded: isOpen };
    if (isOpen) yield* branch(child, tokens, expanded);
  }
}

function childrenOf(node: JsonNode): readonly (readonly [token: string, name: string, child: JsonNode])[] {
  if (node.kind === 'object') return node.members.map(({ key, value }) => [key, key, value]);
  if (node.kind === 'array') return node.items.map((item, index) => [String(index), `[${index}]`, item]);
  return [];
}
