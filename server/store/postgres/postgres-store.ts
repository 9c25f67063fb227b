import { nameOfRecord } from '../../../core/app/erasures.ts';
import type { FindingStore } from '../finding-store.ts';
import { derivations, type Derivation } from '../../../core/derive/derivations.ts';
import type { SealKey } from '../audit-chain.ts';
import type { Erasing, HistoryQuery, NewVersion, SharedStore } from '../store.ts';
import { StoreBusyError, StoreError } from '../store-error.ts';
import { PostgresActivity } from './activity.ts';
import { readAddress } from './address.ts';
import { PostgresArchives } from './archives.ts';
import { PostgresAudit } from './audit.ts';
import { Chain } from './chain.ts';
import { PostgresChecks } from './checks.ts';
import { PostgresCompanions } from './companions.ts';
import { DatabaseClock } from './clock.ts';
import { Postgres } from './connection.ts';
import { PostgresCoverage } from './coverage.ts';
import { PostgresDamage } from './damage.ts';
import { PostgresDerived } from './derived.ts';
import { eraseAll } from './erase.ts';
import { erasedCode } from './erased-code.ts';
import { facet } from './facets.ts';
import { causeOf, codeOf } from './faults.ts';
import { PostgresFindings } from './findings.ts';
import { history, version } from './history.ts';
import { PostgresLeases } from './leases.ts';
import * as lookups from './lookups.ts';
import { checkSchema } from './migrate.ts';
import { isUnfinished, unfinishedMove } from './moving.ts';
import { KeptTotals } from './kept-totals.ts';
import { issueCounts, issues } from './quality.ts';
import { PostgresRelations } from './relations.ts';
import { PostgresCodes, PostgresRows, PostgresSignIns } from './shared-rows.ts';
import { first, page, total, type Searched } from './search.ts';
import { Signals } from './signals.ts';
import { versionHeads } from './version-heads.ts';
import { insertAll, replaceAll } from './version-writes.ts';
import { Writes } from './writes.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { locks } from './locks.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';

/**
 * Opens the store at `postgres://…` (address.ts), whose schema is there; what is added to the trail is sealed with the key,
 * where there is one. Its rows are to be those of the derivations from now on: servers of others write no more.
 *
 * @throws StoreError; Error with a sentence where the schema is not this program's, or the role may change the trail.
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
    const store = new PostgresStore(database, of, key);
    await store.clock.look();
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function check(database: Postgres): Promise<void> {
  await checkSchema(database);
  const may = `SELECT has_table_privilege('audit', 'UPDATE') OR has_table_privilege('audit', 'DELETE')
    OR has_table_privilege('audit', 'TRUNCATE')`;
  const [[mayChange] = []] = await database.rows({ text: may, values: [] });
  if (await isUnfinished(database)) throw new Error(unfinishedMove);
  if (mayChange) throw new Error('This role may change the audit trail; a server has a role that may not.');
}

export class PostgresStore implements SharedStore {
  readonly audit: PostgresAudit;
  readonly findings: FindingStore;
  readonly damage: PostgresDamage;
  readonly heads: SharedStore['heads'];
  readonly companions: PostgresCompanions;
  readonly derived: PostgresDerived;
  readonly checks: PostgresChecks;
  readonly relations: PostgresRelations;
  readonly leases: PostgresLeases;
  /** What the servers of the store tell each other, and share beside the records. */
  readonly signals: Signals;
  readonly rows: PostgresRows;
  readonly codes: PostgresCodes;
  readonly signIns: PostgresSignIns;
  readonly archives: PostgresArchives;
  readonly activity: PostgresActivity;
  readonly clock: DatabaseClock;
  private readonly database: Postgres;
  private readonly searched: Searched;
  private readonly chain: Chain;
  private readonly writes: Writes;

  constructor(database: Postgres, of: readonly Derivation[], key?: SealKey) {
    this.database = database;
    this.searched = { database, totals: new KeptTotals(database) };
    const coverage = new PostgresCoverage(database, of);
    this.signals = new Signals(database);
    this.clock = new DatabaseClock(this.signals);
    this.chain = new Chain(database, this.clock, coverage.program, key);
    this.writes = new Writes(database, this.chain);
    this.audit = new PostgresAudit(database, this.writes, key);
    this.damage = new PostgresDamage(database);
    this.findings = new PostgresFindings(database, this.writes);
    this.derived = new PostgresDerived(database, this.writes, of, coverage, this.clock);
    this.checks = new PostgresChecks(database, this.writes);
    this.relations = new PostgresRelations(database, this.writes);
    this.leases = new PostgresLeases(database);
    this.rows = new PostgresRows(database, this.signals, this.clock);
    this.codes = new PostgresCodes(database, this.clock);
    this.signIns = new PostgresSignIns(database);
    this.archives = new PostgresArchives(database, this.signals);
    this.activity = new PostgresActivity(database);
    this.companions = new PostgresCompanions(database, this.writes, this.signals, this.clock);
    this.heads = versionHeads(database);
  }

  read(type: ResourceType, id: string) {
    return this.damage.seenOne(type, lookups.read(this.database, type, id));
  }

  readBytes(type: ResourceType, id: string) {
    return this.damage.seenOne(type, lookups.readBytes(this.database, type, id));
  }

  readVersion(type: ResourceType, id: string, number: number) {
    return this.damage.seenOne(type, version(this.database, type, id, number));
  }

  async history(type: ResourceType, query: HistoryQuery, limit: number) {
    const found = await history(this.database, type, query, limit);
    this.damage.seen(type, found.versions);
    return found;
  }

  async revision(type: ResourceType, id: string) {
    const found = await lookups.revision(this.database, type, id);
    if (found) this.damage.seen(type, [found.standing]);
    return found;
  }

  firstNumber() {
    return lookups.firstNumber(this.database);
  }

  insert(next: NewVersion) {
    return this.writes.addTo(insertAll, next).catch(asErased);
  }

  async insertUnless(next: NewVersion, criteria: SearchCriteria) {
    await this.derived.check(criteria);
    return this.writes.add(async (writing) => {
      // Until the commit: what another server makes meanwhile is found.
      const text = 'SELECT pg_advisory_xact_lock($1::integer, hashtext($2))';
      await writing.session.rows({ text, values: [locks.create, next.type] });
      const matches = await first(writing.session, criteria, 2);
      if (matches.total === 0) await insertAll(writing, [next]);
      this.damage.seen(next.type, matches.records);
      return matches;
    });
  }

  replace(next: NewVersion, expected: number) {
    return this.writes.addTo(replaceAll, { next, expected }, next);
  }

  async search(...[criteria, limit, signal, lessOf = limit]: Parameters<SharedStore['search']>) {
    await this.derived.check(criteria);
    const found = await page(this.searched, criteria, limit, { signal, lessOf });
    this.damage.seen(criteria.type, found.records);
    return found;
  }

  async total(criteria: SearchCriteria, signal?: AbortSignal) {
    await this.derived.check(criteria);
    return total(this.searched, criteria, signal);
  }

  async facet(...given: Parameters<SharedStore['facet']>) {
    await this.derived.check(given[0]);
    return facet(this.database, ...given);
  }

  severities(type: ResourceType, ids: readonly string[]) {
    return lookups.severities(this.database, type, ids);
  }

  issueCounts(query: Parameters<SharedStore['issueCounts']>[0]) {
    return issueCounts(this.database, query);
  }

  issues(...asked: Parameters<SharedStore['issues']>) {
    return issues(this.database, this.damage.notice, ...asked);
  }

  count() {
    return lookups.count(this.database);
  }

  newestSubjects(limit: number) {
    return lookups.newestSubjects(this.database, limit);
  }

  countOf(type: ResourceType, ids: readonly string[]) {
    return lookups.countOf(this.database, type, ids);
  }

  async erase(records: readonly Erasing[]): Promise<readonly string[]> {
    const erased = await this.writes.add((writing) => eraseAll(writing, records));
    // Others look again in any case, only later.
    if (erased.length > 0) await this.signals.say('workspace', 'erased').catch(() => undefined);
    return erased.map(nameOfRecord);
  }

  /** Writes in great number share their commits as any do. */
  beginBulk(): () => void {
    return () => undefined;
  }

  /** @throws StoreError where the store does not take writes of this server now. */
  async ready(): Promise<void> {
    const text = 'SELECT pg_is_in_recovery()';
    const [[reads] = []] = await this.signals.rows({ text, values: [] });
    if (reads) throw new StoreBusyError('The database takes no writes now.', '', undefined);
    await this.derived.ready(this.signals);
  }

  load() {
    return this.database.load();
  }

  async close(): Promise<void> {
    this.signals.close();
    await this.activity.settle();
    await this.audit.flush();
    await this.writes.settle();
    this.chain.close();
    await this.database.close();
  }
}

/** What the database refused, as it was erased. */
function asErased(error: unknown): 'erased' {
  if (codeOf(causeOf(error)) === erasedCode) return 'erased';
  throw error;
}
