import { noIndex } from '../../../core/fhir/index-rows.ts';
import { isRelation, relationIssues, relationNames, replaces } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { issuesAlone } from '../index-tables.ts';
import { relationQuestions, type FoundRelation } from '../relation-sql.ts';
import type { RelationStore } from '../relation-store.ts';
import { numbered, type Postgres } from './connection.ts';
import { setBySet } from './dialect.ts';
import { readStanding, standingIssues } from './issue-writer.ts';
import { nextRecords } from './next-records.ts';
import { mendRecords, type Target } from './record-mender.ts';
import type { Writes } from './writes.ts';

const questions = relationQuestions(setBySet).map(({ query, found }) => ({ query: numbered(query), found }));

const seenText = `SELECT pg_current_snapshot()::text, NOT EXISTS (SELECT 1 FROM version v
  WHERE v.xid >= pg_snapshot_xmin(l.seen) AND NOT pg_visible_in_snapshot(v.xid, l.seen))
  FROM (SELECT coalesce((SELECT seen FROM relation_look), '1:1:') AS seen) l`;

const noteText = `INSERT INTO relation_look (seen) VALUES ($1::pg_snapshot)
  ON CONFLICT (single) DO UPDATE SET seen = excluded.seen`;

const standsText = `SELECT r.pk, r.type, r.current, ${standingIssues} FROM record r WHERE r.pk = ANY ($1::bigint[])`;

/** Writes what is wrong between records at the elements that say so. */
export class PostgresRelations implements RelationStore {
  private readonly database: Postgres;
  private readonly writes: Writes;
  /** What the look that is under way has seen. */
  private seen: string | undefined;
  /** By record, of which version, findings and look it is known that nothing is to be changed. */
  private readonly made = new Map<number, string>();

  constructor(database: Postgres, writes: Writes) {
    this.database = database;
    this.writes = writes;
  }

  async find(anyway: boolean): Promise<readonly FoundRelation[] | undefined> {
    const [[seen, isLooked] = []] = await this.database.rows({ text: seenText, values: [] });
    if (Boolean(isLooked) && !anyway) return undefined;
    this.seen = String(seen);
    const all: FoundRelation[] = [];
    for (const { query, found } of questions) all.push(...found(await this.database.rows(query)));
    return all;
  }

  async standing(): Promise<readonly number[]> {
    const text = 'SELECT DISTINCT record FROM issue WHERE rule = ANY ($1::text[])';
    const rows = await this.database.rows({ text, values: [relationNames] });
    return rows.map(([record]) => Number(record));
  }

  async write(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
    day: number,
  ): Promise<boolean> {
    const left = await this.unmade(records, found);
    if (left.size === 0) return false;
    const others = [...left.keys()].flatMap((record) =>
      (found.get(record) ?? []).flatMap(({ by }) => by ?? []),
    );
    const roots = await this.roots([...left.keys(), ...others]);
    const targets = new Map<ResourceType, Target[]>();
    for (const [record, { type, current }] of left) {
      const read = roots.get(record);
      // Of a damaged record stays what is known; one that was changed meanwhile comes with the next look.
      if (read?.current !== current) continue;
      const holding = (found.get(record) ?? []).filter((one) => holds(one, roots));
      const issues = relationIssues(read.root, holding);
      const wanted: Target['wanted'] = (standing) => ({
        index: noIndex,
        issues: [...standing.filter(({ rule }) => !isRelation(rule)), ...issues],
      });
      targets.set(type, [...(targets.get(type) ?? []), { record, current, wanted }]);
    }
    const changed = await this.writes.aside(async (mending) => {
      const all = new Set<number>();
      for (const type of [...targets.keys()].sort()) {
        const scope = { ...issuesAlone, sort: false, type };
        for (const record of await mendRecords(mending, scope, targets.get(type) ?? [], day)) all.add(record);
      }
      return all;
    });
    for (const [record, { key }] of left)
      if (key !== undefined && !changed.has(record)) this.made.set(record, key);
    return changed.size > 0;
  }

  async ended(): Promise<void> {
    if (this.seen !== undefined) await this.database.rows({ text: noteText, values: [this.seen] });
    this.seen = undefined;
  }

  /** Those of which it is not known that nothing more is to be done. */
  private async unmade(
    records: readonly number[],
    found: ReadonlyMap<number, readonly FoundRelation[]>,
  ): Promise<Map<number, { type: ResourceType; current: number; key: string | undefined }>> {
    const rows = await this.database.rows({ text: standsText, values: [records] });
    const left = new Map<number, { type: ResourceType; current: number; key: string | undefined }>();
    for (const [pk, type, current, issues] of rows) {
      const [record, of] = [Number(pk), found.get(Number(pk)) ?? []];
      const standing = readStanding(issues).filter(([, rule]) => isRelation(rule));
      // What another record says may have changed.
      const told = of.every(({ by }) => by === undefined);
      const key = told ? JSON.stringify([current, of, standing]) : undefined;
      if (key !== undefined && this.made.get(record) === key) continue;
      this.made.delete(record);
      left.set(record, { type: String(type) as ResourceType, current: Number(current), key });
    }
    return left;
  }

  private async roots(
    records: readonly number[],
  ): Promise<Map<number, { root: JsonObject; current: number }>> {
    const read = new Map<number, { root: JsonObject; current: number }>();
    const where = 'r.pk = ANY ($1::bigint[]) AND r.pk > $2::bigint';
    for (let after = 0; ;) {
      const next = await nextRecords(this.database, { where, by: 'pk', values: [records, after] });
      for (const { record, current, root } of next.records) if (root) read.set(record, { root, current });
      if (next.ended) return read;
      after = next.records.at(-1)?.record ?? 0;
    }
  }
}

/** Whether the record that is said to replace another does say so. */
function holds(
  { by, type, value }: FoundRelation,
  roots: ReadonlyMap<number, { root: JsonObject }>,
): boolean {
  const root = by === undefined ? undefined : roots.get(by)?.root;
  return by === undefined || (root !== undefined && replaces(type, root, value));
}
