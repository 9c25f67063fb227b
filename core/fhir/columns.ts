import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import type { ColumnRow } from '../types/definition/type-definition.ts';
import { activityName } from './card/activity.ts';
import { containedOf, referenceAt, type Contained } from './card/contained.ts';
import { getChild, listItems, type NodeAtPointer } from './card/parts.ts';
import { nameOf, nodesAt } from './names.ts';
import { subsetted } from './record.ts';
import { definitionOf, perType, type ResourceType } from './resource.ts';

/** Columns that every type offers. */
const commonColumns = [
  { id: 'identifier', path: 'identifier.value', format: 'text' },
  { id: 'profile', path: 'meta.profile', format: 'text' },
  { id: 'source', path: 'meta.source', format: 'text' },
  { id: 'security', path: 'meta.security', format: 'names' },
  { id: 'tag', path: 'meta.tag', format: 'names' },
  { id: 'language', path: 'language', format: 'code' },
] as const satisfies readonly ColumnRow[];

/** Id of a column that every type offers. */
export type CommonColumnId = (typeof commonColumns)[number]['id'];

/** The columns of a type without the columns of its summary. */
export const columnsOf = perType((type): readonly ColumnRow[] => [
  ...definitionOf(type).columns,
  ...commonColumns,
]);

/** Returns the top-level elements that columns read. */
export function columnElements(columns: readonly ColumnRow[]): string[] {
  const elements = columns.flatMap(({ path }) => [path].flat()).map((path) => path.replace(/\..*/, ''));
  // The name of a reference to a contained resource comes from that resource.
  const naming = columns.some(({ format }) => format === 'names' || format === 'negated');
  return [...new Set([...elements, ...(naming ? ['contained'] : [])])];
}

/** Returns the values of the named columns of a record by id. A value is blank if the record has none. */
export function columnValues(
  record: JsonNode,
  type: ResourceType,
  ids: readonly string[],
): Readonly<Record<string, string>> {
  const rows = columnsOf[type].filter(({ id }) => ids.includes(id));
  const root: NodeAtPointer = { node: record, pointer: '' };
  const contained = containedOf(root);
  return Object.fromEntries(rows.map((row) => [row.id, valueOf(root, row, contained)]));
}

function valueOf(root: NodeAtPointer, { path, format }: ColumnRow, contained: Contained): string {
  const { node: record } = root;
  const paths = [path].flat();
  if (!record) return '';
  if (format === 'count') return String(Math.max(...paths.map((name) => items(member(record, name)).length)));
  if (format === 'negated')
    return paths.map((name) => negatedAt(getChild(root, name), contained)).find(Boolean) ?? '';
  return paths.map((name) => textOf(nodesAt(record, name), contained)).find(Boolean) ?? '';
}

/** Returns the names of the activities that are prohibited or negated in another way. */
function negatedAt(activities: NodeAtPointer, contained: Contained): string {
  const names = listItems(activities).map((activity) => activityName(activity, contained));
  return names.flatMap(({ name, negation }) => (negation === '' ? [] : [name])).join(', ');
}

function textOf(nodes: readonly JsonNode[], contained: Contained): string {
  const visibleNodes = nodes.filter((node) => stringMember(node, 'code') !== subsetted.code);
  return [...new Set(visibleNodes.map((node) => wordOf(node, contained)))].filter(Boolean).join(', ');
}

function wordOf(node: JsonNode, contained: Contained): string {
  const target = contained.size === 0 ? undefined : referenceAt({ node, pointer: '' }, contained);
  if (target && contained.has(target.reference) && target.display !== '') return target.display;
  const codes = items(member(node, 'coding')).map((coding) => stringMember(coding, 'code'));
  const literals = ['reference', 'code'].map((key) => stringMember(node, key));
  return nameOf(node) || ([...literals, ...codes].find(Boolean) ?? '');
}
