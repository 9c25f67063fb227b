import { setImmediate } from 'node:timers/promises';
import type { NamedResource, ReadCompanion } from '../../../core/fhir/companion.ts';
import type { AuditTrail } from './audit-trail.ts';
import { checksumOf, textColumns } from '../checksum.ts';
import {
  fateAmong,
  fateOf,
  idsNaming,
  isChange,
  keptEntry,
  lookedUp,
  removedAtOnce,
  removedEntry,
  removeInSteps,
  urnOf,
  type CompanionCount,
  type CompanionFate,
  type CompanionLookups,
  type CompanionRow,
  type CompanionStore,
} from '../companions.ts';
import type { Doer } from '../doer.ts';
import { hasTable, prepare, preparePluck, type SqliteDatabase } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

type CompanionStatements = ReturnType<typeof companionStatements>;

/** The statements of one open database. */
export function companionStatements(database: SqliteDatabase) {
  const rows = (condition: string) =>
    prepare<CompanionRow>(
      database,
      `SELECT type, id, full_url AS fullUrl, ${textColumns('companion')} FROM companion WHERE ${condition}`,
    );
  return {
    read: rows('type = ? AND id = ?'),
    byUrl: rows('full_url = ? ORDER BY pk DESC LIMIT 1'),
    byId: rows('id IN (?, ?) LIMIT 2'),
    // A new place each time, which none had before: the trail, of which no row goes, gets one with each that comes.
    add: preparePluck<number>(
      database,
      `INSERT INTO companion (pk, type, id, full_url, sha256, body)
         VALUES (1 + max((SELECT coalesce(max(pk), 0) FROM companion), (SELECT coalesce(max(seq), 0) FROM audit)),
                 ?, ?, ?, ?, ?) RETURNING pk`,
    ),
    // Places are never given again: with the same last one, and as many, there are the same.
    stamp: preparePluck<string>(database, "SELECT coalesce(max(pk), 0) || ' ' || count(*) FROM companion"),
    addSubject: prepare(database, 'INSERT INTO companion_subject (companion, id, type) VALUES (?, ?, ?)'),
    counts: prepare<CompanionCount>(
      database,
      'SELECT type, count(*) AS count FROM companion GROUP BY type ORDER BY type',
    ),
    names: prepare<NamedResource>(
      database,
      'SELECT type, id FROM companion WHERE type = ? AND id > ? ORDER BY id LIMIT ?',
    ),
  };
}

/** What stands on the database as it is open now. */
interface CompanionParts {
  readonly database: SqliteDatabase;
  readonly companions: CompanionStatements;
  readonly trail: AuditTrail;
  readonly writes: WriteQueue;
}

export function sqliteCompanions(parts: () => CompanionParts): CompanionStore & { changed(): void } {
  let known: string | undefined;
  const lookups: CompanionLookups = {
    named: async ({ type, id }) => parts().companions.read.get(type, id),
    at: async (fullUrl) => parts().companions.byUrl.get(fullUrl),
    ofId: async (...ids) => parts().companions.byId.all(...ids),
  };
  const found = lookedUp(lookups);

  function keep(companion: ReadCompanion, doer: Doer): CompanionFate {
    const { database, companions, trail } = parts();
    const { type, id, fullUrl, text, subjects } = companion;
    const urn = urnOf(companion);
    const underUrn = urn === undefined ? undefined : companions.byUrl.get(urn);
    const fate = fateOf(companion, companions.read.get(type, id), underUrn);
    if (!isChange(fate)) return fate;
    // Replaced, it takes the newest place.
    if (fate === 'replaced') removeCompanions(database, 'type = ? AND id = ?', type, id);
    const place = companions.add.get(type, id, fullUrl ?? null, checksumOf(text), text);
    for (const one of subjects) companions.addSubject.run(place, one.id, one.type ?? null);
    trail.add([keptEntry(fate, companion, doer)]);
    return fate;
  }

  /** Says that there may be others: some were erased, or a backup took the place of all. */
  function changed(): void {
    known = undefined;
    found.changed();
  }

  return {
    ...found,
    changed,

    async keep(companion, doer) {
      const fate = await parts().writes.add(() => keep(companion, doer));
      if (isChange(fate)) changed();
      return fate;
    },

    async fateOf(companion) {
      return fateAmong(lookups, companion);
    },

    async stamp() {
      return (known ??= parts().companions.stamp.get() ?? '');
    },

    async counts() {
      return parts().companions.counts.all();
    },

    async names(type, after, limit) {
      return parts().companions.names.all(type, after, limit);
    },

    async remove(type, doer) {
      const which = `pk IN (SELECT pk FROM companion ${type === undefined ? '' : 'WHERE type = ?'} LIMIT ${removedAtOnce})`;
      const values = type === undefined ? [] : [type];
      const removed = await removeInSteps(async () => {
        const { database, trail, writes } = parts();
        const length = await writes.add(() => {
          const gone = removeCompanions(database, which, ...values);
          if (gone.length < removedAtOnce) trail.add([removedEntry(type, doer)]);
          return gone.length;
        });
        await setImmediate();
        return length;
      });
      changed();
      return removed;
    },
  };
}

/** Removes companions with what is derived of them; answers their names. Belongs into a transaction of the caller's. */
function removeCompanions(
  database: SqliteDatabase,
  where: string,
  ...values: readonly (string | number)[]
): readonly NamedResource[] {
  const rows = prepare<NamedResource & { readonly pk: number }>(
    database,
    `DELETE FROM companion WHERE ${where} RETURNING pk, type, id`,
  ).all(...values);
  const subjects = prepare(database, 'DELETE FROM companion_subject WHERE companion = ?');
  for (const { pk } of rows) subjects.run(pk);
  return rows.map(({ type, id }) => ({ type, id }));
}

/**
 * Removes a companion and those that are about it, by its id and by the address that it came with; answers their names.
 * Belongs into a transaction of the caller's, on a connection with secure_delete.
 */
export function eraseCompanion(
  database: SqliteDatabase,
  { type, id }: NamedResource,
): readonly NamedResource[] {
  const urls = preparePluck<string>(
    database,
    'SELECT full_url FROM companion WHERE type = ? AND id = ? AND full_url IS NOT NULL',
  ).all(type, id);
  const about = idsNaming({ type, id }, urls).flatMap((one) =>
    removeCompanions(
      database,
      'pk IN (SELECT companion FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)',
      ...[one, type, type],
    ),
  );
  const itself = removeCompanions(database, 'type = ? AND id = ?', type, id);
  return itself.length + about.length === 0 ? [] : [{ type, id }, ...about];
}

/** Answers whether an open copy of the records holds a companion, or one that is about it; a schema of before has none. */
export function companionsHold(database: SqliteDatabase): (named: NamedResource) => boolean {
  if (!hasTable(database, 'companion')) return () => false;
  const find = prepare(
    database,
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM companion WHERE type = ? AND id = ?)
       OR EXISTS (SELECT 1 FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)`,
  );
  return ({ type, id }) => find.get(type, id, id, type, type) !== undefined;
}
