import { setImmediate } from 'node:timers/promises';
import type { Companion, NamedResource, ReadCompanion } from '../../../core/fhir/companion.ts';
import type { AuditTrail } from './audit-trail.ts';
import { checksumOf, textColumns } from '../checksum.ts';
import {
  companionOf,
  fateOf,
  idsNaming,
  keptEntry,
  removedAtOnce,
  removedEntry,
  resolveAmong,
  type CompanionCount,
  type CompanionFate,
  type CompanionLookups,
  type CompanionRow,
  type CompanionStore,
} from '../companions.ts';
import type { Doer } from '../doer.ts';
import type { SqliteDatabase, Statement } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

/** The statements of one open database. */
export interface CompanionStatements {
  readonly read: Statement<CompanionRow>;
  readonly byUrl: Statement<CompanionRow>;
  readonly byId: Statement<CompanionRow>;
  readonly add: Statement<number>;
  readonly addSubject: Statement<unknown>;
  readonly stamp: Statement<string>;
  readonly counts: Statement<CompanionCount>;
  readonly names: Statement<NamedResource>;
}

export function companionStatements(database: SqliteDatabase): CompanionStatements {
  const rows = (condition: string) =>
    database.prepare<unknown[], CompanionRow>(
      `SELECT type, id, full_url AS fullUrl, ${textColumns('companion')} FROM companion WHERE ${condition}`,
    );
  return {
    read: rows('type = ? AND id = ?'),
    byUrl: rows('full_url = ? ORDER BY pk DESC LIMIT 1'),
    byId: rows('id IN (?, ?) LIMIT 2'),
    // A new place each time, which none had before: the trail, of which no row goes, gets one with each that comes.
    add: database
      .prepare<unknown[], number>(
        `INSERT INTO companion (pk, type, id, full_url, sha256, body)
         VALUES (1 + max((SELECT coalesce(max(pk), 0) FROM companion), (SELECT coalesce(max(seq), 0) FROM audit)),
                 ?, ?, ?, ?, ?) RETURNING pk`,
      )
      .pluck(),
    // Places are never given again: with the same last one, and as many, there are the same.
    stamp: database
      .prepare<unknown[], string>("SELECT coalesce(max(pk), 0) || ' ' || count(*) FROM companion")
      .pluck(),
    addSubject: database.prepare('INSERT INTO companion_subject (companion, id, type) VALUES (?, ?, ?)'),
    counts: database.prepare<unknown[], CompanionCount>(
      'SELECT type, count(*) AS count FROM companion GROUP BY type ORDER BY type',
    ),
    names: database.prepare<unknown[], NamedResource>(
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

export class SqliteCompanions implements CompanionStore {
  private readonly parts: () => CompanionParts;
  private readonly listeners: (() => void)[] = [];
  private known: string | undefined;

  constructor(parts: () => CompanionParts) {
    this.parts = parts;
  }

  private get statements(): CompanionStatements {
    return this.parts().companions;
  }

  private readonly lookups: CompanionLookups = {
    named: async ({ type, id }) => this.statements.read.get(type, id),
    at: async (fullUrl) => this.statements.byUrl.get(fullUrl),
    ofId: async (...ids) => this.statements.byId.all(...ids),
  };

  async keep(companion: ReadCompanion, doer: Doer): Promise<CompanionFate> {
    const fate = await this.parts().writes.add(() => this.keepNow(companion, doer));
    if (fate !== 'unchanged') this.changed();
    return fate;
  }

  private keepNow(companion: ReadCompanion, doer: Doer): CompanionFate {
    const { database, companions, trail } = this.parts();
    const { type, id, fullUrl, text, subjects } = companion;
    const fate = fateOf(companions.read.get(type, id), companion);
    if (fate === 'unchanged') return fate;
    // Replaced, it takes the newest place.
    if (fate === 'replaced') removeCompanions(database, 'type = ? AND id = ?', type, id);
    const place = companions.add.get(type, id, fullUrl ?? null, checksumOf(text), text);
    for (const one of subjects) companions.addSubject.run(place, one.id, one.type ?? null);
    trail.add([keptEntry(fate, companion, doer)]);
    return fate;
  }

  async fateOf(companion: ReadCompanion): Promise<CompanionFate> {
    return fateOf(await this.lookups.named(companion), companion);
  }

  async read(named: NamedResource): Promise<Companion | undefined> {
    return companionOf(await this.lookups.named(named));
  }

  resolve(reference: string, own?: string): Promise<Companion | undefined> {
    return resolveAmong(this.lookups, reference, own);
  }

  async stamp(): Promise<string> {
    return (this.known ??= this.statements.stamp.get() ?? '');
  }

  onChange(told: () => void): void {
    this.listeners.push(told);
  }

  /** Says that there may be others: some were erased, or a backup took the place of all. */
  changed(): void {
    this.known = undefined;
    for (const told of this.listeners) told();
  }

  async counts(): Promise<readonly CompanionCount[]> {
    return this.statements.counts.all();
  }

  async names(type: string, after: string, limit: number): Promise<readonly NamedResource[]> {
    return this.statements.names.all(type, after, limit);
  }

  async remove(type: string | undefined, doer: Doer): Promise<number> {
    const which = `pk IN (SELECT pk FROM companion ${type === undefined ? '' : 'WHERE type = ?'} LIMIT ${removedAtOnce})`;
    const values = type === undefined ? [] : [type];
    let removed = 0;
    for (let last = removedAtOnce; last === removedAtOnce;) {
      const { database, trail, writes } = this.parts();
      last = await writes.add(() => {
        const { length } = removeCompanions(database, which, ...values);
        if (length < removedAtOnce) trail.add([removedEntry(type, doer)]);
        return length;
      });
      removed += last;
      await setImmediate();
    }
    this.changed();
    return removed;
  }
}

/** Removes companions with what is derived of them; answers their names. Belongs into a transaction of the caller's. */
function removeCompanions(
  database: SqliteDatabase,
  where: string,
  ...values: readonly (string | number)[]
): readonly NamedResource[] {
  const rows = database
    .prepare<unknown[], NamedResource & { readonly pk: number }>(
      `DELETE FROM companion WHERE ${where} RETURNING pk, type, id`,
    )
    .all(...values);
  const subjects = database.prepare('DELETE FROM companion_subject WHERE companion = ?');
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
  const urls = database
    .prepare<unknown[], string>(
      'SELECT full_url FROM companion WHERE type = ? AND id = ? AND full_url IS NOT NULL',
    )
    .pluck()
    .all(type, id);
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
  if (!hasCompanions(database)) return () => false;
  const find = database.prepare(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM companion WHERE type = ? AND id = ?)
       OR EXISTS (SELECT 1 FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)`,
  );
  return ({ type, id }) => find.get(type, id, id, type, type) !== undefined;
}

/** Whether a file has the table: one of an older program has not. */
export function hasCompanions(database: SqliteDatabase): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'companion'").get() !== undefined;
}
