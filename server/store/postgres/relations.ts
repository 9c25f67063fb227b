import { noIndex } from '../../../core/fhir/index-rows.ts';
import { isRelation, relationIssues, relationNames } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { rulesAlone } from '../derive-scope.ts';
import { partnerIds, partnerSql } from '../partner-sql.ts';
import { holds, relationQuestions, type FoundRelation, type RelationStore } from '../relation-sql.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
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

type Found = Parameters<RelationStore['write']>[1];

/** Records of which it is not known that nothing more is to be done. */
type Left = Map<
  number,
  { readonly type: ResourceType; readonly current: number; readonly key: string | undefined }
>;

type Roots = Map<number, { readonly root: JsonObject; readonly current: number }>;

/** Writes what is wrong between records at the elements that say so. */
export function postgresRelations(database: Postgres, writes: Writes): RelationStore {
  /** What the look that is under way has seen. */
  let lookSeen: string | undefined;
  /** By record, of which version, findings and look it is known that nothing is to be changed. */
  const made = new Map<number, string>();

  async function unmade(records: readonly number[], found: Found): Promise<Left> {
    const rows = await database.rows({ text: standsText, values: [records] });
    const left: Left = new Map();
    for (const [pk, type, current, issues] of rows) {
      const [record, of] = [Number(pk), found.get(Number(pk)) ?? []];
      const standing = readStanding(issues).filter(([, rule]) => isRelation(rule));
      // What another record says may have changed.
      const told = of.every(({ by }) => by === undefined);
      const key = told ? JSON.stringify([current, of, standing]) : undefined;
      if (key !== undefined && made.get(record) === key) continue;
      made.delete(record);
      left.set(record, { type: String(type) as ResourceType, current: Number(current), key });
    }
    return left;
  }

  return {
    async find(anyway) {
      const [[seen, isLooked] = []] = await database.rows({ text: seenText });
      if (Boolean(isLooked) && !anyway) return undefined;
      lookSeen = String(seen);
      const all: FoundRelation[] = [];
      for (const { query, found } of questions) all.push(...found(await database.rows(query)));
      return all;
    },

    async standing() {
      const text = 'SELECT DISTINCT record FROM issue WHERE rule = ANY ($1::text[])';
      const rows = await database.rows({ text, values: [relationNames] });
      return rows.map(([record]) => Number(record));
    },

    async write(records, found, day) {
      const left = await unmade(records, found);
      if (left.size === 0) return false;
      const others = [...left.keys()].flatMap((record) =>
        (found.get(record) ?? []).flatMap(({ by }) => by ?? []),
      );
      const roots = await rootsOf(database, [...left.keys(), ...others]);
      const targets = targetsOf(left, found, roots);
      const changed = await writes.aside(async (mending) => {
        const all = new Set<number>();
        for (const type of [...targets.keys()].sort()) {
          const scope = { ...rulesAlone, type };
          for (const record of await mendRecords(mending, scope, targets.get(type) ?? [], day))
            all.add(record);
        }
        return all;
      });
      for (const [record, { key }] of left)
        if (key !== undefined && !changed.has(record)) made.set(record, key);
      return changed.size > 0;
    },

    partners: (asked, limit) =>
      Promise.all(
        asked.map(async (question) => {
          const query = partnerSql(question, limit, setBySet);
          return query ? partnerIds(await database.rows(numbered(query))) : [];
        }),
      ),

    async ended() {
      if (lookSeen !== undefined) await database.rows({ text: noteText, values: [lookSeen] });
      lookSeen = undefined;
    },
  };
}

function targetsOf(left: Left, found: Found, roots: Roots): Map<ResourceType, Target[]> {
  const targets = new Map<ResourceType, Target[]>();
  for (const [record, { type, current }] of left) {
    const read = roots.get(record);
    // Of a damaged record stays what is known; one that was changed meanwhile comes with the next look.
    if (read?.current !== current) continue;
    const holding = (found.get(record) ?? []).filter((one) => holds(one, (by) => roots.get(by)?.root));
    const issues = relationIssues(read.root, holding);
    const wanted: Target['wanted'] = (standing) => ({
      index: noIndex,
      issues: [...standing.filter(({ rule }) => !isRelation(rule)), ...issues],
    });
    targets.set(type, [...(targets.get(type) ?? []), { record, current, wanted }]);
  }
  return targets;
}

async function rootsOf(session: Session, records: readonly number[]): Promise<Roots> {
  const read: Roots = new Map();
  const where = 'r.pk = ANY ($1::bigint[]) AND r.pk > $2::bigint';
  for (let after = 0; ;) {
    const next = await nextRecords(session, { where, by: 'pk', values: [records, after] });
    for (const { record, current, root } of next.records) if (root) read.set(record, { root, current });
    if (next.ended) return read;
    after = next.records.at(-1)?.record ?? 0;
  }
}
