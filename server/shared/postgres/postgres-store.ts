import { formatRecordName } from '../../../core/app/erasures.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ActivityLog } from '../../store/activity-log.ts';
import type { SealKey } from '../../store/audit-chain.ts';
import type { SharedArchives } from '../shared-archives.ts';
import type { SharedCodes, SharedRows, SharedSignIns } from '../shared-rows.ts';
import type { SharedStore, PlacedVersion, VersionHeads } from '../../store/store.ts';
import { codeOf, StoreBusyError, StoreError } from '../../store/store-error.ts';
import { postgresActivity } from './activity.ts';
import { readAddress } from './address.ts';
import { postgresAudit, type PostgresAudit } from './audit.ts';
import { Chain } from './chain.ts';
import { postgresChecks } from './checks.ts';
import { createPostgresBatches } from './batches.ts';
import { createPostgresSupportingResources } from './companions.ts';
import { createPostgresDocuments } from './documents.ts';
import { DatabaseClock } from './clock.ts';
import { Postgres, numbered, type Session } from './connection.ts';
import { PostgresDerivationStatus } from './coverage.ts';
import { PostgresDamage } from './damage.ts';
import { PostgresDerived } from './derived.ts';
import { eraseAll } from './erase.ts';
import { causeOf, erasedCode } from './driver-errors.ts';
import { postgresFindings } from './findings.ts';
import { createHistoryQueries } from './history.ts';
import { createLookups } from './lookups.ts';
import { checkSchema } from './migrate.ts';
import { isUnfinished, unfinishedMove } from './moving.ts';
import { createQualityQueries } from './quality.ts';
import { postgresRelations } from './relations.ts';
import { postgresCodes, postgresRows, postgresSignIns } from './shared-rows.ts';
import { readRemoved, removeAll } from './removals.ts';
import { readFirstMatches, createSearches } from './search.ts';
import { assertSameCluster, assertDirectConnection } from './start-check.ts';
import { notifyStatement, Signals, channels } from './signals.ts';
import { insertAll, replaceAll } from './version-writes.ts';
import { Writes } from './writes.ts';
import { locks } from './locks.ts';
import { authorshipIn } from '../../../core/app/authorship.ts';
import type { WriteOperation } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Value } from '../../store/sql.ts';
import { changedSql, writerHeadOf, writersSql } from '../../store/writer-sql.ts';
import { setBySet } from './dialect.ts';
import { randomUUID } from 'node:crypto';
import type { Leases } from '../../store/leases.ts';

/**
 * Opens the store at `postgres://…` (address.ts). The schema must exist. New audit entries are sealed with
 * the key, if there is one. The derivations become current: servers with others no longer write.
 *
 * @throws StoreError; Error with a message if the schema is not this program's, the role can change the audit
 * log, or the database fails a check of start-check.ts.
 */
export async function openPostgresStore(
  address: string,
  key?: SealKey,
  programDerivations: readonly Derivation[] = derivations,
): Promise<PostgresStore> {
  const store = await openWithoutDerivations(address, key, programDerivations);
  try {
    await store.derived.settle(store.clock.now());
  } catch (error) {
    // Reads still work. The next background batch tries again.
    if (error instanceof StoreError) return store;
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Opens the store for a program that writes no derived rows. Servers with other derivations continue to
 * write.
 */
export async function openWithoutDerivations(
  address: string,
  key?: SealKey,
  programDerivations: readonly Derivation[] = derivations,
): Promise<PostgresStore> {
  const database = new Postgres(readAddress(address));
  try {
    await database.find();
    await assertUsable(database);
    const store = postgresStore(database, programDerivations, key);
    await store.clock.look();
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assertUsable(database: Postgres): Promise<void> {
  await assertDirectConnection(database);
  await checkSchema(database);
  await assertSameCluster(database);
  const privilegeSql = `SELECT has_table_privilege('audit', 'UPDATE') OR has_table_privilege('audit', 'DELETE')
    OR has_table_privilege('audit', 'TRUNCATE')`;
  const [[canChange] = []] = await database.rows({ text: privilegeSql });
  if (await isUnfinished(database)) throw new Error(unfinishedMove);
  if (canChange) throw new Error('This role can change the audit log. Use a role for servers that can’t.');
}

export interface PostgresStore extends SharedStore {
  readonly audit: PostgresAudit;
  readonly derived: PostgresDerived;
  /** Notifications between the servers of the store. */
  readonly signals: Signals;
  readonly rows: SharedRows;
  readonly codes: SharedCodes;
  readonly signIns: SharedSignIns;
  readonly archives: SharedArchives;
  readonly activity: ActivityLog;
  readonly clock: DatabaseClock;
  load: Postgres['load'];
  /** @throws StoreError if the store accepts no writes of this server now. */
  ready(): Promise<void>;
}

function postgresStore(
  database: Postgres,
  programDerivations: readonly Derivation[],
  key?: SealKey,
): PostgresStore {
  const derivationStatus = new PostgresDerivationStatus(database, programDerivations);
  const signals = new Signals(database);
  const clock = new DatabaseClock(signals);
  const chain = new Chain(database, clock, derivationStatus.program, key);
  const writes = new Writes(database, chain);
  const audit = postgresAudit(database, writes, key);
  const damage = new PostgresDamage(database);
  const derivedStore = new PostgresDerived(database, writes, programDerivations, derivationStatus, clock);
  const activity = postgresActivity(database);
  return {
    audit,
    damage,
    derived: derivedStore,
    signals,
    clock,
    activity,
    findings: postgresFindings(database, writes),
    checks: postgresChecks(database, writes),
    relations: postgresRelations(database, writes),
    leases: postgresLeases(database),
    rows: postgresRows(database, signals, clock),
    codes: postgresCodes(database, clock),
    signIns: postgresSignIns(database),
    archives: postgresArchives(database, signals),
    batches: createPostgresBatches(database, writes),
    supportingResources: createPostgresSupportingResources(database, writes, signals, clock),
    documents: createPostgresDocuments(database, writes),
    versionSummaries: createVersionSummaries(database),
    ...createLookups(database, damage),
    ...createHistoryQueries(database, damage),
    ...createSearches(database, derivedStore, damage),
    ...createQualityQueries(database, damage.notice),
    load: () => database.load(),

    insert: (next) => writes.addTo(insertAll, next).catch(mapErasedError),

    async insertUnlessMatched(next, criteria) {
      await derivedStore.check(criteria);
      return writes.add(async (context) => {
        // The lock lasts until the commit, so no other server creates a match in the meantime.
        const text = 'SELECT pg_advisory_xact_lock($1::integer, hashtext($2))';
        await context.session.rows({ text, values: [locks.create, next.type] });
        const matches = await readFirstMatches(context.session, criteria, 2);
        if (matches.total === 0) await insertAll(context, [next]);
        damage.reportDamaged(next.type, matches.records);
        return matches;
      });
    },

    replace: (next, expected) => writes.addTo(replaceAll, { next, expected }, next),

    readRemoved: (type, id) => readRemoved(database, type, id),

    remove: (removals) => writes.add((context) => removeAll(context, removals)),

    async erase(records) {
      const erasedRecords = await writes.add(async (context) => {
        await context.session.rows(notifyStatement('workspace', 'erased'));
        return eraseAll(context, records);
      });
      return erasedRecords.map(formatRecordName);
    },

    /** Does nothing: many writes share commits like others. */
    startBulk: () => () => undefined,

    async ready() {
      const text = 'SELECT pg_is_in_recovery()';
      const [[isReadOnly] = []] = await signals.rows({ text });
      if (isReadOnly) throw new StoreBusyError('The database is read-only right now.', '', undefined);
      await derivedStore.ready(signals);
    },

    async close() {
      signals.close();
      await activity.settle();
      await audit.flush();
      await writes.whenIdle();
      chain.close();
      await database.close();
    },
  };
}

/** Converts the database's rejection of an erased record. */
function mapErasedError(error: unknown): 'erased' {
  if (codeOf(causeOf(error)) === erasedCode) return 'erased';
  throw error;
}

const addSql = `INSERT INTO package (file, name, version, sha256) VALUES ($1, lower($2), $3, decode($4, 'hex'))
  ON CONFLICT DO NOTHING RETURNING file`;
const partSql = 'INSERT INTO package_part (file, place, body) VALUES ($1, $2::integer, $3)';
const readSql = 'SELECT body FROM package_part WHERE file = $1 AND place = $2::integer';
const notifySql = `SELECT pg_notify('${channels.packages}', '')`;

function postgresArchives(database: Postgres, signals: Pick<Signals, 'on'>): SharedArchives {
  return {
    async list() {
      const text = "SELECT file, encode(sha256, 'hex') FROM package ORDER BY file";
      const rows = await database.rows({ text });
      return new Map(rows.map(([file, sha256]) => [String(file), String(sha256)]));
    },

    async *read(file) {
      for (let partIndex = 0; ; partIndex += 1) {
        const [[body] = []] = await database.rows({ text: readSql, values: [file, partIndex] });
        if (!Buffer.isBuffer(body)) return;
        yield body;
      }
    },

    async add({ file, name, version, sha256 }, pieces) {
      return database.transaction(async (session) => {
        const insertedRows = await session.rows({ text: addSql, values: [file, name, version, sha256] });
        if (insertedRows.length === 0) return false;
        let partIndex = 0;
        for await (const body of pieces) {
          await session.rows({ text: partSql, values: [file, partIndex, body] });
          partIndex += 1;
        }
        await session.rows({ text: notifySql });
        return true;
      });
    },

    async remove(file) {
      await database.transaction(async (session) => {
        await session.rows({ text: 'DELETE FROM package WHERE file = $1', values: [file] });
        await session.rows({ text: notifySql });
      });
    },

    onChange: (listener) => signals.on('packages', listener),
  };
}

const columns = 'v.pk, v.type, v.id, v.version, v.last_updated, v.operation, v.author, v.person, v.reason';

const latestSql = `SELECT ${columns} FROM (SELECT * FROM version ORDER BY pk DESC LIMIT $1::integer) v
  WHERE v.last_updated >= $2 ORDER BY v.pk DESC`;
const allSql = `SELECT ${columns} FROM version v WHERE v.pk > $1::bigint ORDER BY v.pk LIMIT $2::integer`;
const recordSql = `SELECT ${columns} FROM record r JOIN version v ON v.record = r.pk
  WHERE r.type = $3 AND r.id = $4 AND v.pk > $1::bigint ORDER BY v.version LIMIT $2::integer`;

/** Creates the queries for versions without texts. */
function createVersionSummaries(database: Session): VersionHeads {
  const querySummaries = async (text: string, ...values: (string | number)[]) =>
    (await database.rows({ text, values })).map(toSummary);
  return {
    newest: (since, limit) => querySummaries(latestSql, limit, since),
    async countChanged(since) {
      const [[count] = []] = await database.rows(numbered(changedSql(since, setBySet)));
      return Number(count);
    },
    async writers(since, limit) {
      return (await database.rows(numbered(writersSql(since, limit)))).map(writerHeadOf);
    },
    listAuthorship: (record, after, limit) =>
      record
        ? querySummaries(recordSql, after, limit, record.type, record.id)
        : querySummaries(allSql, after, limit),
  };
}

function toSummary([
  place,
  type,
  id,
  version,
  lastUpdated,
  operation,
  ...authorship
]: readonly Value[]): PlacedVersion {
  const [author, person = null, reason = null] = authorship as (string | null)[];
  return {
    place: Number(place),
    type: String(type) as ResourceType,
    id: String(id),
    version: Number(version),
    lastUpdated: String(lastUpdated),
    operation: String(operation) as WriteOperation,
    ...authorshipIn({ author: String(author), person, reason }),
  };
}

/** Seconds of a lease after the last call. Work waits so long after its server was killed. */
const defaultSeconds = 15;

// Only the clock of the database decides: the clock of a server may be wrong.
const acquireSql = `INSERT INTO lease AS l (name, holder, until)
  VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE l.holder = excluded.holder OR l.until < clock_timestamp() RETURNING 1`;

const releaseSql = 'DELETE FROM lease WHERE name = $1 AND holder = $2';

/**
 * Creates the leases of the servers of one store. They are rows with an expiry, which survive a lost
 * connection.
 */
export function postgresLeases(database: Session): Leases {
  const holder = randomUUID();
  return {
    shared: true,
    getLease(name, seconds = defaultSeconds) {
      let isHeld = false;
      /** The lease is not queried again until then. This process's clock, started before the query. */
      let validUntil = 0;
      return {
        hold: async () => {
          const now = performance.now();
          if (isHeld && now < validUntil) return true;
          const values = [name, holder, seconds];
          isHeld = (await database.rows({ text: acquireSql, values })).length > 0;
          validUntil = now + (seconds * 1000) / 3;
          return isHeld;
        },
        release: async () => {
          if (!isHeld) return;
          isHeld = false;
          await database.rows({ text: releaseSql, values: [name, holder] });
        },
      };
    },
  };
}
