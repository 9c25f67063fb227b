import { nameOfRecord } from '../../../core/app/erasures.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { ActivityLog } from '../activity-log.ts';
import type { SealKey } from '../audit-chain.ts';
import type { SharedArchives } from '../shared-archives.ts';
import type { SharedCodes, SharedRows, SharedSignIns } from '../shared-rows.ts';
import type { SharedStore } from '../store.ts';
import { codeOf, StoreBusyError, StoreError } from '../store-error.ts';
import { postgresActivity } from './activity.ts';
import { readAddress } from './address.ts';
import { postgresArchives } from './archives.ts';
import { postgresAudit, type PostgresAudit } from './audit.ts';
import { Chain } from './chain.ts';
import { postgresChecks } from './checks.ts';
import { postgresCompanions } from './companions.ts';
import { DatabaseClock } from './clock.ts';
import { Postgres } from './connection.ts';
import { PostgresCoverage } from './coverage.ts';
import { PostgresDamage } from './damage.ts';
import { PostgresDerived } from './derived.ts';
import { eraseAll } from './erase.ts';
import { causeOf, erasedCode } from './faults.ts';
import { postgresFindings } from './findings.ts';
import { historiesIn } from './history.ts';
import { postgresLeases } from './leases.ts';
import { lookupsIn } from './lookups.ts';
import { checkSchema } from './migrate.ts';
import { isUnfinished, unfinishedMove } from './moving.ts';
import { qualityIn } from './quality.ts';
import { postgresRelations } from './relations.ts';
import { postgresCodes, postgresRows, postgresSignIns } from './shared-rows.ts';
import { first, searchesIn } from './search.ts';
import { checkNumbers, checkWay } from './start-check.ts';
import { Signals } from './signals.ts';
import { versionHeads } from './version-heads.ts';
import { insertAll, replaceAll } from './version-writes.ts';
import { Writes } from './writes.ts';
import { locks } from './locks.ts';

/**
 * Opens the store at `postgres://…` (address.ts), whose schema is there; what is added to the trail is sealed with the key,
 * where there is one. Its rows are to be those of the derivations from now on: servers of others write no more.
 *
 * @throws StoreError; Error with a sentence where the schema is not this program's, the role may change the trail, or the
 * database is not the one that answers or that wrote the records (start-check.ts).
 */
export async function openPostgresStore(
  address: string,
  key?: SealKey,
  of: readonly Derivation[] = derivations,
): Promise<PostgresStore> {
  const store = await openBesideServers(address, key, of);
  try {
    await store.derived.settle(store.clock.now());
  } catch (error) {
    // What is stored is read all the same; it is tried again with the first piece of work.
    if (error instanceof StoreError) return store;
    await store.close();
    throw error;
  }
  return store;
}

/** The same for who writes nothing that is derived: servers of other derivations go on writing. */
export async function openBesideServers(
  address: string,
  key?: SealKey,
  of: readonly Derivation[] = derivations,
): Promise<PostgresStore> {
  const database = new Postgres(readAddress(address));
  try {
    await database.find();
    await check(database);
    const store = postgresStore(database, of, key);
    await store.clock.look();
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function check(database: Postgres): Promise<void> {
  await checkWay(database);
  await checkSchema(database);
  await checkNumbers(database);
  const may = `SELECT has_table_privilege('audit', 'UPDATE') OR has_table_privilege('audit', 'DELETE')
    OR has_table_privilege('audit', 'TRUNCATE')`;
  const [[mayChange] = []] = await database.rows({ text: may });
  if (await isUnfinished(database)) throw new Error(unfinishedMove);
  if (mayChange) throw new Error('This role may change the audit trail; a server has a role that may not.');
}

export interface PostgresStore extends SharedStore {
  readonly audit: PostgresAudit;
  readonly derived: PostgresDerived;
  /** What the servers of the store tell each other, and share beside the records. */
  readonly signals: Signals;
  readonly rows: SharedRows;
  readonly codes: SharedCodes;
  readonly signIns: SharedSignIns;
  readonly archives: SharedArchives;
  readonly activity: ActivityLog;
  readonly clock: DatabaseClock;
  load: Postgres['load'];
  /** @throws StoreError where the store does not take writes of this server now. */
  ready(): Promise<void>;
}

function postgresStore(database: Postgres, of: readonly Derivation[], key?: SealKey): PostgresStore {
  const coverage = new PostgresCoverage(database, of);
  const signals = new Signals(database);
  const clock = new DatabaseClock(signals);
  const chain = new Chain(database, clock, coverage.program, key);
  const writes = new Writes(database, chain);
  const audit = postgresAudit(database, writes, key);
  const damage = new PostgresDamage(database);
  const derived = new PostgresDerived(database, writes, of, coverage, clock);
  const activity = postgresActivity(database);
  return {
    ...{ audit, damage, derived, signals, clock, activity },
    findings: postgresFindings(database, writes),
    checks: postgresChecks(database, writes),
    relations: postgresRelations(database, writes),
    leases: postgresLeases(database),
    rows: postgresRows(database, signals, clock),
    codes: postgresCodes(database, clock),
    signIns: postgresSignIns(database),
    archives: postgresArchives(database, signals),
    companions: postgresCompanions(database, writes, signals, clock),
    heads: versionHeads(database),
    ...lookupsIn(database, damage),
    ...historiesIn(database, damage),
    ...searchesIn(database, derived, damage),
    ...qualityIn(database, damage.notice),
    load: () => database.load(),

    insert: (next) => writes.addTo(insertAll, next).catch(asErased),

    async insertUnless(next, criteria) {
      await derived.check(criteria);
      return writes.add(async (writing) => {
        // Until the commit: what another server makes meanwhile is found.
        const text = 'SELECT pg_advisory_xact_lock($1::integer, hashtext($2))';
        await writing.session.rows({ text, values: [locks.create, next.type] });
        const matches = await first(writing.session, criteria, 2);
        if (matches.total === 0) await insertAll(writing, [next]);
        damage.seen(next.type, matches.records);
        return matches;
      });
    },

    replace: (next, expected) => writes.addTo(replaceAll, { next, expected }, next),

    async erase(records) {
      const erased = await writes.add((writing) => eraseAll(writing, records));
      // Others look again in any case, only later.
      if (erased.length > 0) await signals.say('workspace', 'erased').catch(() => undefined);
      return erased.map(nameOfRecord);
    },

    /** Writes in great number share their commits as any do. */
    beginBulk: () => () => undefined,

    async ready() {
      const text = 'SELECT pg_is_in_recovery()';
      const [[reads] = []] = await signals.rows({ text });
      if (reads) throw new StoreBusyError('The database takes no writes now.', '', undefined);
      await derived.ready(signals);
    },

    async close() {
      signals.close();
      await activity.settle();
      await audit.flush();
      await writes.settle();
      chain.close();
      await database.close();
    },
  };
}

/** What the database refused, as it was erased. */
function asErased(error: unknown): 'erased' {
  if (codeOf(causeOf(error)) === erasedCode) return 'erased';
  throw error;
}
