/**
 * Which derived parts are current for all records, and the rebuild of the others, for all servers of a store
 * (see server/store/sqlite/derivation-status.ts).
 *
 * Invariant: only the program whose derivations are current writes records: the program started last. It
 * waits for the chain of each server and marks the chain's row, so no other program commits afterwards.
 */
import { createHash } from 'node:crypto';
import type { Derivation } from '../../../core/derive/derivations.ts';
import { planDerivation, type Fingerprints } from '../../store/derivation-plan.ts';
import { createOtherInstanceError } from './chain.ts';
import type { Postgres, Session } from './connection.ts';
import { toColumns } from './version-rows.ts';

/** The stored status. */
export interface Deriving {
  readonly program: string;
  /** Parts that are current for this program, with the time since when. */
  readonly currentParts: ReadonlyMap<string, number>;
  readonly storedFingerprints: Fingerprints;
  /** Fingerprints of the parts in rebuild, as stored JSON. Empty object if none. */
  readonly parts: string;
  /** Last rebuilt record, and the record that ends the rebuild. */
  readonly done: number;
  readonly endRecord: number;
  readonly skippedCount: number;
  readonly validatedAtMs: number;
}

const noParts = '{}';

const readSql = `SELECT d.program, d.parts, d.done, d.last, d.skipped, d.judged,
  (SELECT coalesce(json_object_agg(part, json_build_array(stamp, made)), '{}')::text FROM derivation) FROM deriving d`;

const coverSql = `INSERT INTO derivation (part, stamp, made)
  SELECT w.*, $3::bigint FROM unnest($1::text[], $2::text[]) w(part, stamp)
  ON CONFLICT (part) DO UPDATE SET stamp = excluded.stamp, made = excluded.made`;

const advanceSql = `UPDATE deriving SET done = $4::bigint, skipped = skipped + $5::integer
  WHERE program = $1 AND parts = $2 AND done = $3::bigint RETURNING 1`;

export class PostgresDerivationStatus {
  /** Fingerprint of the derivations of this server. */
  readonly program: string;
  private readonly stamps: Fingerprints;
  private readonly database: Postgres;

  constructor(database: Postgres, derivations: readonly Derivation[]) {
    this.database = database;
    this.stamps = new Map(derivations.map(({ name, stamp }) => [name, stamp]));
    this.program = programOf(derivations);
  }

  async read(session: Session = this.database): Promise<Deriving> {
    const [row = []] = await session.rows({ text: readSql });
    const [program = '', parts = noParts, done, lastRecord, skippedCount, validatedAt, storedParts = '{}'] =
      row;
    const entries = Object.entries(JSON.parse(String(storedParts)) as Record<string, [string, number]>);
    return {
      program: String(program),
      parts: String(parts),
      done: Number(done),
      endRecord: Number(lastRecord),
      skippedCount: Number(skippedCount ?? 0),
      validatedAtMs: Number(validatedAt ?? 0),
      storedFingerprints: new Map(entries.map(([part, [stamp]]) => [part, stamp])),
      currentParts: new Map(
        entries.flatMap(([part, [stamp, creationTime]]) =>
          this.stamps.get(part) === stamp ? [[part, creationTime]] : [],
        ),
      ),
    };
  }

  /** Makes this program's derivations current and plans the rebuild (planDerivation). */
  async settle(now: number): Promise<void> {
    const previousStatus = await this.read();
    if (previousStatus.program === this.program && !this.planChanges(previousStatus)) return;
    await this.withStatusLock(async (session) => {
      const values = [this.program];
      await session.rows({ text: 'UPDATE deriving SET program = $1', values });
      await session.rows({ text: 'UPDATE node SET program = $1 WHERE program <> $1', values });
      const changes = this.planChanges(await this.read(session));
      if (!changes) return;
      const text = 'DELETE FROM derivation WHERE part = ANY ($1::text[])';
      await session.rows({ text, values: [changes.outdated] });
      if (changes.startedParts) await this.begin(session, changes.startedParts, now);
    });
  }

  /**
   * Starts the rebuild of parts. `partsOf` receives the parts that are in rebuild.
   *
   * @throws StoreBusyError if another program's derivations are current.
   */
  async renew(
    partsOf: (partsInProgress: ReadonlySet<string>) => ReadonlySet<string>,
    now: number,
  ): Promise<void> {
    await this.withStatusLock(async (session) => {
      const { program, parts } = await this.read(session);
      if (program !== this.program) throw createOtherInstanceError();
      const partsInProgress = new Set(parseFingerprints(parts).keys());
      const requestedParts = partsOf(partsInProgress);
      if (requestedParts.size > partsInProgress.size) await this.begin(session, requestedParts, now);
    });
  }

  /**
   * Moves the rebuild to a record. Returns false if another server has moved it. Call it before writing the
   * rows.
   */
  async advance(
    session: Session,
    { parts, done }: Deriving,
    record: number,
    skippedCount: number,
  ): Promise<boolean> {
    const values = [this.program, parts, done, record, skippedCount];
    return (await session.rows({ text: advanceSql, values })).length > 0;
  }

  /** Ends the rebuild if no other server has moved it. Its parts are then current. */
  async end({ parts, done }: Deriving, now: number): Promise<void> {
    await this.withStatusLock(async (session) => {
      const text = `UPDATE deriving SET parts = '${noParts}'
        WHERE program = $1 AND parts = $2 AND done = $3::bigint RETURNING 1`;
      const updatedRows = await session.rows({ text, values: [this.program, parts, done] });
      if (updatedRows.length > 0) await cover(session, parseFingerprints(parts), now);
    });
  }

  /** Makes this program's derivations current and marks the rows of all records as made by them. */
  async markAllCurrent(session: Session, now: number): Promise<void> {
    await session.rows({ text: 'INSERT INTO deriving DEFAULT VALUES ON CONFLICT DO NOTHING' });
    const text = 'UPDATE deriving SET program = $1, judged = $2::bigint';
    await session.rows({ text, values: [this.program, now] });
    await session.rows({ text: 'UPDATE node SET program = $1', values: [this.program] });
    await cover(session, this.stamps, now);
  }

  async markValidated(now: number): Promise<void> {
    const text = 'UPDATE deriving SET judged = $2::bigint WHERE program = $1 AND judged < $2::bigint';
    await this.database.rows({ text, values: [this.program, now] });
  }

  /**
   * Prevents a change of the current derivations until the transaction ends.
   *
   * @throws StoreBusyError if another program's derivations are current.
   */
  async guard(session: Session): Promise<void> {
    const text = 'SELECT 1 FROM deriving WHERE program = $1 FOR SHARE';
    if ((await session.rows({ text, values: [this.program] })).length === 0) throw createOtherInstanceError();
  }

  /**
   * Counts a repair of rows whose version stays. Locks like {@link guard}.
   *
   * @throws StoreBusyError if another program's derivations are current.
   */
  async markReconciled(session: Session): Promise<void> {
    const text = 'UPDATE deriving SET mended = mended + 1 WHERE program = $1 RETURNING 1';
    if ((await session.rows({ text, values: [this.program] })).length === 0) throw createOtherInstanceError();
  }

  private planChanges({ storedFingerprints: openParts, parts }: Deriving) {
    return planDerivation(this.stamps, openParts, parts === noParts ? undefined : parseFingerprints(parts));
  }

  /** Changes the status. Concurrent calls run one after the other. */
  private withStatusLock(work: (session: Session) => Promise<void>): Promise<void> {
    return this.database.transaction(async (session) => {
      await session.rows({ text: 'INSERT INTO deriving DEFAULT VALUES ON CONFLICT DO NOTHING' });
      await session.rows({ text: 'SELECT 1 FROM deriving FOR UPDATE' });
      await work(session);
    });
  }

  private async begin(session: Session, parts: ReadonlySet<string>, now: number): Promise<void> {
    const stamps = new Map([...this.stamps].filter(([part]) => parts.has(part)));
    const [[lastRecord] = []] = await session.rows({ text: 'SELECT max(pk) FROM record' });
    const isComplete = typeof lastRecord !== 'number' || stamps.size === 0;
    if (isComplete) await cover(session, stamps, now);
    const text = 'UPDATE deriving SET parts = $1, done = 0, last = $2::bigint, skipped = 0';
    const storedParts = isComplete ? noParts : JSON.stringify(Object.fromEntries(stamps));
    await session.rows({ text, values: [storedParts, lastRecord ?? 0] });
  }
}

/** Parses stored fingerprints by part. */
export function parseFingerprints(parts: string): Fingerprints {
  return new Map(Object.entries(JSON.parse(parts) as Record<string, string>));
}

function programOf(derivations: readonly Derivation[]): string {
  const pairs = derivations.map(({ name, stamp }) => [name, stamp]);
  return createHash('sha256').update(JSON.stringify(pairs)).digest('hex').slice(0, 16);
}

async function cover(session: Session, stamps: Fingerprints, now: number): Promise<void> {
  if (stamps.size > 0) await session.rows({ text: coverSql, values: [...toColumns([...stamps], 2), now] });
}
