import { items, member, stringMember, type JsonNode } from '../json/node.ts';
import type { ColumnRow } from '../types/definition/type-definition.ts';
import { activityName } from './card/activity.ts';
import { containedOf, referenceAt, type Contained } from './card/contained.ts';
import { getChild, listItems, type NodeAtPointer } from './card/parts.ts';
import { nameOf, nodesAt } from './names.ts';
import { subsetted } from './record.ts';
import { definitionOf, perType, type ResourceType } from './resource.ts';

/** Columns that every type offers. */
const ofEvery = [
  { id: 'identifier', path: 'identifier.value', as: 'text' },
  { id: 'profile', path: 'meta.profile', as: 'text' },
  { id: 'source', path: 'meta.source', as: 'text' },
  { id: 'security', path: 'meta.security', as: 'names' },
  { id: 'tag', path: 'meta.tag', as: 'names' },
  { id: 'language', path: 'language', as: 'code' },
] as const satisfies readonly ColumnRow[];

/** Id of a column that every type offers. */
export type CommonColumnId = (typeof ofEvery)[number]['id'];

/** The columns of a type beside its summary. */
export const columnsOf = perType((type): readonly ColumnRow[] => [...definitionOf(type).columns, ...ofEvery]);

/** The top-level elements that columns are made of. */
export function columnElements(columns: readonly ColumnRow[]): string[] {
  const elements = columns.flatMap(({ path }) => [path].flat()).map((path) => path.replace(/\..*/, ''));
  // A reference to a contained resource is named with what that says.
  const naming = columns.some(({ as }) => as === 'names' || as === 'negated');
  return [...new Set([...elements, ...(naming ? ['contained'] : [])])];
}

/** What the columns of a type that are named show of a record, by their ids; blank where it does not say. */
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

function valueOf(root: NodeAtPointer, { path, as }: ColumnRow, contained: Contained): string {
  const { node: record } = root;
  const first = [path].flat();
  if (!record) return '';
  if (as === 'count') return String(Math.max(...first.map((one) => items(member(record, one)).length)));
  if (as === 'negated')
    return first.map((one) => negatedAt(getChild(root, one), contained)).find(Boolean) ?? '';
  return first.map((one) => textOf(nodesAt(record, one), contained)).find(Boolean) ?? '';
}

/** The names of the activities that are not to be performed, or are negated in another way. */
function negatedAt(activities: NodeAtPointer, contained: Contained): string {
  const names = listItems(activities).map((one) => activityName(one, contained));
  return names.flatMap(({ name, before }) => (before === '' ? [] : [name])).join(', ');
}

function textOf(nodes: readonly JsonNode[], contained: Contained): string {
  const told = nodes.filter((node) => stringMember(node, 'code') !== subsetted.code);
  return [...new Set(told.map((node) => wordOf(node, contained)))].filter(Boolean).join(', ');
}

function wordOf(node: JsonNode, contained: Contained): string {
  const referred = contained.size === 0 ? undefined : referenceAt({ node, pointer: '' }, contained);
  if (referred && contained.has(referred.reference) && referred.display !== '') return referred.display;
  const codes = items(member(node, 'coding')).map((coding) => stringMember(coding, 'code'));
  const others = ['reference', 'code'].map((key) => stringMember(node, key));
  return nameOf(node) || ([...others, ...codes].find(Boolean) ?? '');
}
