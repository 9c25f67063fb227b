import { definitionOf, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { SortValue } from '../../core/types/definition/type-definition.ts';
import { preparePluck, type SqliteDatabase } from './sqlite.ts';

const columns: Readonly<Record<SortValue, string>> = { date: 'sort_date', status: 'status', title: 'title' };

/**
 * Creates the missing indexes of each resource type. Each index covers one type: with the type as first column, the
 * indexes by status and title took a quarter of the time of a create in a large store. They are derived like index
 * rows. A type that is new to a file has none.
 */
export function makeTypeIndexes(database: SqliteDatabase): void {
  const names = new Set(
    preparePluck<string>(database, "SELECT name FROM sqlite_schema WHERE type = 'index'").all(),
  );
  const missing = resourceTypes.flatMap(indexesOf).filter(([name]) => !names.has(name));
  if (missing.length === 0) return;
  database.transaction(() => {
    for (const [name, target] of missing) database.exec(statementOf(name, target));
  })();
}

/** Table and columns of each index, by the start of its name. The type follows. */
const columnsByPrefix: Readonly<Record<string, string>> = {
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
    formatTarget(name, type),
  ]);
}

function formatTarget(name: string, type: string): string {
  return `${columnsByPrefix[name] ?? ''} WHERE type = '${type}'`;
}

function statementOf(name: string, target: string): string {
  return `CREATE INDEX ${name} ON ${target}`;
}

/**
 * Returns the statement that creates the index with this name for one type, also for an unknown type. Undefined if
 * there is no such index.
 */
export function typeIndexStatement(name: string): string | undefined {
  const [, prefix = '', type = ''] = /^((?:version|record)_by_[a-z]+)_([A-Z][A-Za-z]*)$/.exec(name) ?? [];
  return Object.hasOwn(columnsByPrefix, prefix) ? statementOf(name, formatTarget(prefix, type)) : undefined;
}
