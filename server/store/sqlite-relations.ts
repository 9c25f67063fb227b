import type { IssueRow } from '../../core/fhir/issue-row.ts';
import { isRelation, relationIssues, relationNames, replaces } from '../../core/fhir/relations.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { JsonObject } from '../../core/json/node.ts';
import type { Questioner } from './asking.ts';
import { isSound, searchedColumns } from './checksum.ts';
import { foundIssueWriter } from './found-issues.ts';
import type { FoundRelation } from './record-relations.ts';
import type { RelationStore } from './relation-store.ts';
import { objectIn } from './remake.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { Parts } from './sqlite-parts.ts';

/** Writes what is wrong between records at the elements that say so. */
export class SqliteRelations implements RelationStore {
  private readonly state: () => readonly [Parts, Pick<Questioner, 'ask'>];
  private made: { readonly database: SqliteDatabase; readonly on: ReturnType<typeof prepare> } | undefined;

  constructor(state: () => readonly [Parts, Pick<Questioner, 'ask'>]) {
    this.state = state;
  }

  find(): Promise<readonly FoundRelation[]> {
    return this.state()[1].ask('relations', null);
  }

  standing(): readonly number[] {
    return this.statements().standing.all(JSON.stringify(relationNames));
  }

  async write(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean> {
    const on = this.statements();
    return this.state()[0].writes.add(() => {
      let changed = false;
      for (const record of records) if (on.write(record, found.get(record) ?? [], day)) changed = true;
      return changed;
    });
  }

  changed(): void {
    this.state()[0].rowsChanged(true);
  }

  /** A restore puts another database in the place of this one. */
  private statements(): ReturnType<typeof prepare> {
    const { database } = this.state()[0];
    if (this.made?.database !== database) this.made = { database, on: prepare(database) };
    return this.made.on;
  }
}

type TextRow = [type: ResourceType, version: number, body: unknown, sum: unknown];

function prepare(database: SqliteDatabase) {
  const textOf = database
    .prepare<unknown[], TextRow>(
      `SELECT r.type, v.pk, ${searchedColumns('v')} FROM record r CROSS JOIN version v ON v.pk = r.current WHERE r.pk = ?`,
    )
    .raw();
  const writeFound = foundIssueWriter(database);
  const theirs = ({ rule }: IssueRow) => isRelation(rule);
  /** What was written of a record last, and of which version. */
  const written = new Map<number, string>();

  function rootOf(
    record: number,
  ): { readonly version: number; readonly root: JsonObject | undefined } | undefined {
    const row = textOf.get(record);
    if (!row) return undefined;
    const [, version, body, sum] = row;
    return { version, root: isSound(body, sum) ? objectIn(body.toString()) : undefined };
  }

  /** Whether the record that is said to replace another does say so. */
  function holds({ by, type, value }: FoundRelation): boolean {
    const root = by === undefined ? undefined : rootOf(by)?.root;
    return by === undefined || (root !== undefined && replaces(type, root, value));
  }

  return {
    standing: database
      .prepare<unknown[], number>(
        'SELECT DISTINCT record FROM issue WHERE rule IN (SELECT value FROM json_each(?))',
      )
      .pluck(),

    write(record: number, found: readonly FoundRelation[], day: number): boolean {
      const read = rootOf(record);
      // Of a damaged record stays what is known.
      if (!read?.root) return false;
      const key = `${read.version} ${JSON.stringify(found)}`;
      if (written.get(record) === key && found.every(({ by }) => by === undefined)) return false;
      if (found.length > 0) written.set(record, key);
      else written.delete(record);
      const issues = relationIssues(read.root, found.filter(holds));
      return writeFound({ record, found: issues, theirs, day });
    },
  };
}
