import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import type { ColumnRow } from '../types/definition/type-definition.ts';
import { nameOf, nodesAt } from './names.ts';
import { subsetted } from './record.ts';
import { definitionOf, perType, type ResourceType } from './resource.ts';

/** What any record says of itself. */
const ofEvery: readonly ColumnRow[] = [
  { id: 'identifier', label: 'Identifier', path: 'identifier.value', as: 'text' },
  { id: 'profile', label: 'Profile', path: 'meta.profile', as: 'text' },
  { id: 'source', label: 'Source', path: 'meta.source', as: 'text' },
  { id: 'security', label: 'Security', path: 'meta.security', as: 'names' },
  { id: 'tag', label: 'Tags', path: 'meta.tag', as: 'names' },
  { id: 'language', label: 'Language', path: 'language', as: 'code' },
];

/** The columns of a type beside its summary. */
export const columnsOf = perType((type) => [...definitionOf(type).columns, ...ofEvery]);

/** The top-level elements that columns are made of. */
export function columnElements(columns: readonly ColumnRow[]): string[] {
  return [...new Set(columns.flatMap(({ path }) => [path].flat()).map((path) => path.replace(/\..*/, '')))];
}

/** What the columns of a type that are named show of a record, by their ids; blank where it does not say. */
export function columnValues(
  record: JsonNode,
  type: ResourceType,
  ids: readonly string[],
): Readonly<Record<string, string>> {
  const rows = columnsOf[type].filter(({ id }) => ids.includes(id));
  return Object.fromEntries(rows.map((row) => [row.id, valueOf(record, row)]));
}

function valueOf(record: JsonNode, { path, as }: ColumnRow): string {
  const first = [path].flat();
  if (as === 'count') return String(Math.max(...first.map((one) => items(member(record, one)).length)));
  return first.map((one) => textOf(nodesAt(record, one))).find(Boolean) ?? '';
}

function textOf(nodes: readonly JsonNode[]): string {
  const told = nodes.filter((node) => stringMember(node, 'code') !== subsetted.code);
  return [...new Set(told.map(wordOf))].filter(Boolean).join(', ');
}

function wordOf(node: JsonNode): string {
  const codes = items(member(node, 'coding')).map((coding) => stringMember(coding, 'code'));
  const others = ['reference', 'code'].map((key) => stringMember(node, key));
  return nameOf(node) || ([...others, ...codes].find(Boolean) ?? '');
}
