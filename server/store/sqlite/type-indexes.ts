import { definitionOf, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import type { SortValue } from '../../../core/types/definition/type-definition.ts';
import { preparePluck, type SqliteDatabase } from './sqlite.ts';

/** The column of the record that holds what sorts. */
const columns: Readonly<Record<SortValue, string>> = { date: 'sort_date', status: 'status', title: 'title' };

/**
 * Makes the indexes of each resource type that are not there yet. Each is of one type: with the type in front, the order
 * by status and title alone took a quarter of a create in a large store. They are derived like index rows are: a type that
 * is new to the file has none.
 */
export function makeTypeIndexes(database: SqliteDatabase): void {
  const names = new Set(
    preparePluck<string>(database, "SELECT name FROM sqlite_schema WHERE type = 'index'").all(),
  );
  const missing = resourceTypes.flatMap(indexesOf).filter(([name]) => !names.has(name));
  if (missing.length === 0) return;
  database.transaction(() => {
    for (const [name, on] of missing) database.exec(statementOf(name, on));
  })();
}

/** Table and columns of each index by the beginning of its name; the type follows. */
const lists: Readonly<Record<string, string>> = {
  version_by_updated: 'version (last_updated)',
  record_by_id: 'record (id, current)',
  record_by_updated: 'record (last_updated, id)',
  ...Object.fromEntries(
    Object.entries(columns).map(([value, column]) => [`record_by_${value}`, `record (${column}, id)`]),
  ),
};

function indexesOf(type: ResourceType): [name: string, on: string][] {
  const sorts = Object.values(definitionOf(type).sort).map((value) => `record_by_${value}`);
  return ['version_by_updated', 'record_by_id', 'record_by_updated', ...sorts].map((name) => [
    `${name}_${type}`,
    onOf(name, type),
  ]);
}

function onOf(name: string, type: string): string {
  return `${lists[name] ?? ''} WHERE type = '${type}'`;
}

function statementOf(name: string, on: string): string {
  return `CREATE INDEX ${name} ON ${on}`;
}

/**
 * Returns the statement that makes the index of one type that has this name, also of a type that another release knows;
 * undefined where no such index does.
 */
export function typeIndexStatement(name: string): string | undefined {
  const [, by = '', type = ''] = /^((?:version|record)_by_[a-z]+)_([A-Z][A-Za-z]*)$/.exec(name) ?? [];
  return Object.hasOwn(lists, by) ? statementOf(name, onOf(by, type)) : undefined;
}
