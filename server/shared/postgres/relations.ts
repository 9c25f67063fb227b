import { noIndex } from '../../../core/derive/derive.ts';
import { isRelation, relationIssues, relationNames } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { findingsOnly } from '../../store/index-tables.ts';
import { partnerIds, partnerSql } from '../../store/partner-sql.ts';
import {
  isConfirmed,
  relationQuestions,
  type FoundRelation,
  type RelationStore,
} from '../../store/relation-sql.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';
import { readExisting, existingIssuesSql } from './issue-writer.ts';
import { readNextRecords } from './next-records.ts';
import { reconcileRecords, type Target } from './record-reconciler.ts';
import type { Writes } from './writes.ts';

const relationQueries = relationQuestions(setBySet).map(({ query, toRelations }) => ({
  query: numbered(query),
  toRelations,
}));

const statusSql = `SELECT pg_current_snapshot()::text, NOT EXISTS (SELECT 1 FROM version v
  WHERE v.xid >= pg_snapshot_xmin(l.seen) AND NOT pg_visible_in_snapshot(v.xid, l.seen))
  FROM (SELECT coalesce((SELECT seen FROM relation_look), '1:1:') AS seen) l`;

const saveSql = `INSERT INTO relation_look (seen) VALUES ($1::pg_snapshot)
  ON CONFLICT (single) DO UPDATE SET seen = excluded.seen`;

const existingSql = `SELECT r.pk, r.type, r.current, ${existingIssuesSql} FROM record r WHERE r.pk = ANY ($1::bigint[])`;

type RelationFindings = Parameters<RelationStore['write']>[1];

/** Records that may need a change. */
type Remaining = Map<
  number,
  { readonly type: ResourceType; readonly current: number; readonly key: string | undefined }
>;

type Roots = Map<number, { readonly root: JsonObject; readonly current: number }>;

/** Creates the store of findings between records. */
export function postgresRelations(database: Postgres, writes: Writes): RelationStore {
  /** Snapshot of the scan in progress. */
  let scanSnapshot: string | undefined;
  /** By record: version, findings and existing issues for which no change is needed. */
  const checkedKeys = new Map<number, string>();

  async function findRemaining(
    records: readonly number[],
    relationsByRecord: RelationFindings,
  ): Promise<Remaining> {
    const rows = await database.rows({ text: existingSql, values: [records] });
    const remaining: Remaining = new Map();
    for (const [pk, type, current, issues] of rows) {
      const [record, relations] = [Number(pk), relationsByRecord.get(Number(pk)) ?? []];
      const existingIssues = readExisting(issues).filter(([, rule]) => isRelation(rule));
      // The content of another record may have changed.
      const isSelfContained = relations.every(({ otherRecord }) => otherRecord === undefined);
      const key = isSelfContained ? JSON.stringify([current, relations, existingIssues]) : undefined;
      if (key !== undefined && checkedKeys.get(record) === key) continue;
      checkedKeys.delete(record);
      remaining.set(record, { type: String(type) as ResourceType, current: Number(current), key });
    }
    return remaining;
  }

  return {
    async find(isForced) {
      const [[snapshot, isUnchanged] = []] = await database.rows({ text: statusSql });
      if (Boolean(isUnchanged) && !isForced) return undefined;
      scanSnapshot = String(snapshot);
      const relations: FoundRelation[] = [];
      for (const { query, toRelations } of relationQueries)
        relations.push(...toRelations(await database.rows(query)));
      return relations;
    },

    async listFlagged() {
      const text = 'SELECT DISTINCT record FROM issue WHERE rule = ANY ($1::text[])';
      const rows = await database.rows({ text, values: [relationNames] });
      return rows.map(([record]) => Number(record));
    },

    async write(records, relationsByRecord, day) {
      const remaining = await findRemaining(records, relationsByRecord);
      if (remaining.size === 0) return false;
      const otherRecords = [...remaining.keys()].flatMap((record) =>
        (relationsByRecord.get(record) ?? []).flatMap(({ otherRecord }) => otherRecord ?? []),
      );
      const roots = await rootsOf(database, [...remaining.keys(), ...otherRecords]);
      const targets = targetsOf(remaining, relationsByRecord, roots);
      const writtenRecords = await writes.addSeparately(async (context) => {
        const changedRecords = new Set<number>();
        for (const type of [...targets.keys()].sort()) {
          const scope = { ...findingsOnly, type };
          for (const record of await reconcileRecords(context, scope, targets.get(type) ?? [], day))
            changedRecords.add(record);
        }
        return changedRecords;
      });
      for (const [record, { key }] of remaining)
        if (key !== undefined && !writtenRecords.has(record)) checkedKeys.set(record, key);
      return writtenRecords.size > 0;
    },

    partners: (queries, limit) =>
      Promise.all(
        queries.map(async (partnerQuery) => {
          const statement = partnerSql(partnerQuery, limit, setBySet);
          return statement ? partnerIds(await database.rows(numbered(statement))) : [];
        }),
      ),

    async completeScan() {
      if (scanSnapshot !== undefined) await database.rows({ text: saveSql, values: [scanSnapshot] });
      scanSnapshot = undefined;
    },
  };
}

function targetsOf(
  remaining: Remaining,
  relationsByRecord: RelationFindings,
  roots: Roots,
): Map<ResourceType, Target[]> {
  const targets = new Map<ResourceType, Target[]>();
  for (const [record, { type, current }] of remaining) {
    const currentRoot = roots.get(record);
    // A damaged record keeps its findings. A record that changed in the meantime follows in the next scan.
    if (currentRoot?.current !== current) continue;
    const activeRelations = (relationsByRecord.get(record) ?? []).filter((relation) =>
      isConfirmed(relation, (otherRecord) => roots.get(otherRecord)?.root),
    );
    const issues = relationIssues(currentRoot.root, activeRelations);
    const expectedRows: Target['expect'] = (existingIssues) => ({
      index: noIndex,
      issues: [...existingIssues.filter(({ rule }) => !isRelation(rule)), ...issues],
    });
    targets.set(type, [...(targets.get(type) ?? []), { record, current, expect: expectedRows }]);
  }
  return targets;
}

async function rootsOf(session: Session, records: readonly number[]): Promise<Roots> {
  const rootsByRecord: Roots = new Map();
  const where = 'r.pk = ANY ($1::bigint[]) AND r.pk > $2::bigint';
  for (let after = 0; ;) {
    const batch = await readNextRecords(session, { where, orderBy: 'pk', values: [records, after] });
    for (const { record, current, root } of batch.records)
      if (root) rootsByRecord.set(record, { root, current });
    if (batch.isLast) return rootsByRecord;
    after = batch.records.at(-1)?.record ?? 0;
  }
}
