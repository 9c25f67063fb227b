/**
 * What came with records and is none: resources of other types, kept as they came and never changed. Nothing is derived
 * of them but whom they are about. The same type and id again replaces what was there.
 */
import { setImmediate } from 'node:timers/promises';
import {
  withoutVersion,
  type Companion,
  type CompanionSubject,
  type NamedResource,
  type ReadCompanion,
} from '../../core/fhir/companion.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { parseReference } from '../../core/fhir/reference.ts';
import type { NewAuditEntry } from './audit-rows.ts';
import type { AuditTrail } from './audit-trail.ts';
import { checksumOf, isSound, textColumns } from './checksum.ts';
import { byOf, type Doer } from './doer.ts';
import type { SqliteDatabase, Statement } from './sqlite.ts';
import type { WriteQueue } from './write-queue.ts';

/** What becomes of a companion that is to be kept. */
export type CompanionFate = 'kept' | 'replaced' | 'unchanged';

export interface CompanionCount {
  readonly type: string;
  readonly count: number;
}

export interface CompanionStore {
  /** Keeps it, with its entry in the audit trail; one that says the same already stays as it is. */
  keep(companion: ReadCompanion, doer: Doer): Promise<CompanionFate>;
  /** What keeping it would come to. */
  fateOf(companion: ReadCompanion): CompanionFate;
  /** @throws FhirError `damaged`. */
  read(named: NamedResource): Companion | undefined;
  /**
   * The companion that a literal reference means: by its fullUrl, by type and id, or by the id of a `urn:`; `own` is the
   * address of this server's records.
   *
   * @throws FhirError `damaged`.
   */
  resolve(reference: string, own?: string): Companion | undefined;
  /** Changes whenever there are others. */
  stamp(): string;
  /** Called whenever there may be others. */
  onChange(told: () => void): void;
  /** How many there are of each type, in the order of their names. */
  counts(): readonly CompanionCount[];
  /** Names in the order of their ids, those behind `after`. */
  names(type: string, after: string, limit: number): readonly NamedResource[];
  /** Removes those of a type, or all; answers how many. Others have their turn between. */
  remove(type: string | undefined, doer: Doer): Promise<number>;
}

interface Row {
  readonly type: string;
  readonly id: string;
  readonly full_url: string | null;
  readonly body: unknown;
  readonly sha256: unknown;
}

/** Rows of one step of a removal: a commit has to be short. */
const step = 500;

/** The statements of one open database. */
export interface CompanionStatements {
  readonly read: Statement<Row>;
  readonly byUrl: Statement<Row>;
  readonly byId: Statement<Row>;
  readonly add: Statement<number>;
  readonly addSubject: Statement<unknown>;
  readonly stamp: Statement<string>;
  readonly counts: Statement<CompanionCount>;
  readonly names: Statement<NamedResource>;
}

export function companionStatements(database: SqliteDatabase): CompanionStatements {
  const columns = `type, id, full_url, ${textColumns('companion')}`;
  return {
    read: database.prepare<unknown[], Row>(`SELECT ${columns} FROM companion WHERE type = ? AND id = ?`),
    byUrl: database.prepare<unknown[], Row>(
      `SELECT ${columns} FROM companion WHERE full_url = ? ORDER BY pk DESC LIMIT 1`,
    ),
    byId: database.prepare<unknown[], Row>(`SELECT ${columns} FROM companion WHERE id IN (?, ?) LIMIT 2`),
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

  async keep(companion: ReadCompanion, doer: Doer): Promise<CompanionFate> {
    const fate = await this.parts().writes.add(() => this.keepNow(companion, doer));
    if (fate !== 'unchanged') this.changed();
    return fate;
  }

  private keepNow(companion: ReadCompanion, doer: Doer): CompanionFate {
    const fate = this.fateOf(companion);
    if (fate === 'unchanged') return fate;
    const { database, companions, trail } = this.parts();
    const { type, id, fullUrl, text, subjects } = companion;
    const [action, status] = fate === 'kept' ? (['create', 201] as const) : (['update', 200] as const);
    // Replaced, it takes the newest place.
    if (fate === 'replaced') removeCompanions(database, 'type = ? AND id = ?', type, id);
    const place = companions.add.get(type, id, fullUrl ?? null, checksumOf(text), text);
    for (const one of subjects) companions.addSubject.run(place, one.id, one.type ?? null);
    trail.add([entryOf(action, addressOf(companion), status, doer)]);
    return fate;
  }

  fateOf({ type, id, fullUrl, text }: ReadCompanion): CompanionFate {
    const row = this.parts().companions.read.get(type, id);
    if (!row) return 'kept';
    const same = isSound(row.body, row.sha256) && row.body.toString() === text;
    return same && (row.full_url ?? undefined) === fullUrl ? 'unchanged' : 'replaced';
  }

  read({ type, id }: NamedResource): Companion | undefined {
    return companionOf(this.parts().companions.read.get(type, id));
  }

  resolve(reference: string, own = ''): Companion | undefined {
    const address = withoutVersion(reference);
    const { id, type, base = '' } = parseReference(address) ?? { id: '' };
    if (id === '' || base === '#') return undefined;
    const { companions } = this.parts();
    const named = base === '' ? undefined : companions.byUrl.get(address);
    if (named) return companionOf(named);
    if (type === undefined) {
      // An id alone means nothing; two of one id are two resources.
      const [one, ...others] = base === '' ? [] : companions.byId.all(id, id.toUpperCase());
      return others.length === 0 ? companionOf(one) : undefined;
    }
    const found = companions.read.get(type, id);
    // One that came under an address is not meant by another server's.
    return base === '' || base === own || found?.full_url === null ? companionOf(found) : undefined;
  }

  stamp(): string {
    return (this.known ??= this.parts().companions.stamp.get() ?? '');
  }

  onChange(told: () => void): void {
    this.listeners.push(told);
  }

  /** Says that there may be others: some were erased, or a backup took the place of all. */
  changed(): void {
    this.known = undefined;
    for (const told of this.listeners) told();
  }

  counts(): readonly CompanionCount[] {
    return this.parts().companions.counts.all();
  }

  names(type: string, after: string, limit: number): readonly NamedResource[] {
    return this.parts().companions.names.all(type, after, limit);
  }

  async remove(type: string | undefined, doer: Doer): Promise<number> {
    const which = `pk IN (SELECT pk FROM companion ${type === undefined ? '' : 'WHERE type = ?'} LIMIT ${step})`;
    const values = type === undefined ? [] : [type];
    let removed = 0;
    for (let last = step; last === step;) {
      const { database, writes } = this.parts();
      last = await writes.add(() => removeCompanions(database, which, ...values).length);
      removed += last;
      await setImmediate();
    }
    const what = `${companionsPath}${type === undefined ? '' : `/${type}`}`;
    const { trail, writes } = this.parts();
    await writes.add(() => trail.add([entryOf('delete', what, 200, doer)]));
    this.changed();
    return removed;
  }
}

const companionsPath = '/app/companions';

/** What the audit trail calls a companion. */
export function addressOf({ type, id }: NamedResource): string {
  return `${companionsPath}/${type}/${id}`;
}

function entryOf(action: NewAuditEntry['action'], what: string, status: number, doer: Doer): NewAuditEntry {
  const { requestId } = doer;
  return { time: Date.now(), ...byOf(doer), action, what, status: requestId === '' ? 0 : status, requestId };
}

function companionOf(row: Row | undefined): Companion | undefined {
  if (!row) return undefined;
  const { type, id, full_url: fullUrl, body, sha256 } = row;
  if (isSound(body, sha256)) return { type, id, text: body.toString(), ...(fullUrl !== null && { fullUrl }) };
  throw new FhirError('damaged', {
    text: `The stored text of this ${type} is damaged and is not answered; import it again.`,
    diagnostics: `${type}/${id}`,
  });
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
  const ids: readonly CompanionSubject[] = [
    { id, type },
    ...urls.flatMap((url) => parseReference(url) ?? []),
  ];
  const about = ids.flatMap((one) =>
    removeCompanions(
      database,
      'pk IN (SELECT companion FROM companion_subject s WHERE s.id = ? AND coalesce(s.type, ?) = ?)',
      ...[one.id, type, type],
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
