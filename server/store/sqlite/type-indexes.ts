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
    for (const [name, on] of missing) database.exec(`CREATE INDEX ${name} ON ${on}`);
  })();
}

function indexesOf(type: ResourceType): [name: string, on: string][] {
  const of = (table: string, by: string, list: string): [string, string] => [
    `${table}_by_${by}_${type}`,
    `${table} (${list}) WHERE type = '${type}'`,
  ];
  return [
    of('version', 'updated', 'last_updated'),
    of('record', 'id', 'id, current'),
    of('record', 'updated', 'last_updated, id'),
    ...Object.values(definitionOf(type).sort).map((value) => of('record', value, `${columns[value]}, id`)),
  ];
}

/** A GLOB that every index of one type meets, and nothing else in the schema. */
export const typeIndexNames = ['version_by_*_[A-Z]*', 'record_by_*_[A-Z]*'] as const;
