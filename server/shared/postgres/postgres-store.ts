import { formatRecordName } from '../../../core/app/erasures.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ActivityLog } from '../../store/activity-log.ts';
import type { SealKey } from '../../store/audit-chain.ts';
import type { SharedArchives } from '../shared-archives.ts';
import type { SharedCodes, SharedRows, SharedSignIns } from '../shared-rows.ts';
import type { SharedStore } from '../../store/store.ts';
import { codeOf, StoreBusyError, StoreError } from '../../store/store-error.ts';
import { postgresActivity } from './activity.ts';
import { readAddress } from './address.ts';
import { postgresArchives } from './archives.ts';
import { postgresAudit, type PostgresAudit } from './audit.ts';
import { Chain } from './chain.ts';
import { postgresChecks } from './checks.ts';
import { createPostgresSupportingResources } from './companions.ts';
import { DatabaseClock } from './clock.ts';
import { Postgres } from './connection.ts';
import { PostgresDerivationStatus } from './coverage.ts';
import { PostgresDamage } from './damage.ts';
import { PostgresDerived } from './derived.ts';
import { eraseAll } from './erase.ts';
import { causeOf, erasedCode } from './driver-errors.ts';
import { postgresFindings } from './findings.ts';
import { createHistoryQueries } from './history.ts';
import { postgresLeases } from './leases.ts';
import { createLookups } from './lookups.ts';
import { checkSchema } from './migrate.ts';
import { isUnfinished, unfinishedMove } from './moving.ts';
import { createQualityQueries } from './quality.ts';
import { postgresRelations } from './relations.ts';
import { postgresCodes, postgresRows, postgresSignIns } from './shared-rows.ts';
import { readFirstMatches, createSearches } from './search.ts';
import { assertSameCluster, assertDirectConnection } from './start-check.ts';
import { notifyStatement, Signals } from './signals.ts';
import { createVersionSummaries } from './version-heads.ts';
import { insertAll, replaceAll } from './version-writes.ts';
import { Writes } from './writes.ts';
import { locks } from './locks.ts';

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
    supportingResources: createPostgresSupportingResources(database, writes, signals, clock),
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
