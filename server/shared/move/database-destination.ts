import { derivations } from '../../../core/derive/derivations.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { initialSeal, type SealKey } from '../../store/audit-chain.ts';
import { localChain } from '../../store/audit-chains.ts';
import { allRows } from '../../store/index-tables.ts';
import { addTo } from '../postgres/chain.ts';
import { PostgresDerivationStatus } from '../postgres/coverage.ts';
import type { Session } from '../postgres/connection.ts';
import { FindingEndCounter } from '../postgres/finding-ends.ts';
import { rebuildTargets, writeRebuilt } from '../postgres/rebuilt-rows.ts';
import { readNextRecords } from '../postgres/next-records.ts';
import { withExclusiveDatabase, type ExclusiveDatabase } from './exclusive-database.ts';
import type { OnProgress, MoveDestination } from './ends.ts';
import type { DatabaseTable, MovedTable, RowKey } from './kind.ts';
import { tableMovers } from './kinds.ts';
import { entryOf, MoveState, type KnownMove } from './state.ts';

/**
 * Runs work on a shared store as destination. No server writes to it until the move has finished.
 *
 * @throws Error with a message if a server writes, or the role lacks rights; StoreError.
 */
export function withDestinationDatabase<Result>(
  address: string,
  use: (destination: MoveDestination) => Promise<Result>,
): Promise<Result> {
  return withExclusiveDatabase(address, async (database) => {
    const text = "SELECT has_table_privilege('move', 'INSERT')";
    const [[isAllowed] = []] = await database.database.rows({ text });
    if (!isAllowed)
      throw new Error(
        'A move needs more rights than a server has. In --to, use the role that owns the tables, as for `chartkeeper migrate`.',
      );
    return use(new DestinationDatabase(database));
  });
}

/** Key of a move state's position: the last record with derived rows. */
const derivedKey = 'derived';

const stateSql = 'UPDATE move SET state = $1';

/** The local chain of the source continues as the first server's, even if it is empty. */
const beginSql = 'INSERT INTO node (node, seq, seal) VALUES ($1, 0, $2) ON CONFLICT (node) DO NOTHING';

/** Sequences continue after the moved rows. */
const sequences = [
  [`'version_pk'`, 'version', 'pk'],
  [
    `pg_get_serial_sequence('record', 'pk')`,
    '(SELECT pk FROM record UNION ALL SELECT record FROM removed) r',
    'pk',
  ],
  [`pg_get_serial_sequence('batch', 'pk')`, 'batch', 'pk'],
  [`pg_get_serial_sequence('batch_line', 'pk')`, 'batch_line', 'pk'],
  [`pg_get_serial_sequence('audit', 'place')`, 'audit', 'place'],
] as const;

class DestinationDatabase implements MoveDestination {
  private readonly exclusive: ExclusiveDatabase;
  private currentState: MoveState | undefined;

  constructor(database: ExclusiveDatabase) {
    this.exclusive = database;
  }

  get name(): string {
    return this.exclusive.name;
  }

  async readKnownMove(): Promise<KnownMove | undefined> {
    const text = 'SELECT state, ended FROM move';
    const [row] = await this.exclusive.database.rows({ text });
    if (!row) return undefined;
    const state = parseAs(MoveState, String(row[0]));
    if (!state)
      throw new Error(`Can’t read the state of an earlier move into ${this.name}. Create a new database.`);
    return { state, ended: row[1] !== null };
  }

  async begin(state: MoveState): Promise<void> {
    for (const kind of tableMovers) {
      if (!(await kind.digestFirst(this))) continue;
      throw new Error(`${this.name} is not empty: it has ${kind.name}. Use a new database for --to.`);
    }
    const text = 'INSERT INTO move (state) VALUES ($1)';
    await this.transaction((session) => session.rows({ text, values: [JSON.stringify(state)] }));
    await this.resume(state);
  }

  resume(state: MoveState): Promise<void> {
    this.currentState = state;
    return Promise.resolve();
  }

  get state(): MoveState {
    if (!this.currentState) throw new Error('No move was started here.');
    return this.currentState;
  }

  getTable<Row>(kind: MovedTable<Row>): DatabaseTable<Row> {
    return kind.openInDatabase(this.exclusive.database);
  }

  async clear<Row>(kind: MovedTable<Row>): Promise<void> {
    await this.transaction(async (session) => kind.openInDatabase(session).clear?.());
  }

  write<Row>(kind: MovedTable<Row>, rows: readonly Row[], place: RowKey): Promise<void> {
    if (!kind.isAppendOnly) return this.transaction((session) => kind.openInDatabase(session).write(rows));
    return this.advance(kind.name, async (session) => {
      await kind.openInDatabase(session).write(rows);
      return place;
    });
  }

  async save(state: MoveState): Promise<void> {
    await this.transaction((session) => session.rows({ text: stateSql, values: [JSON.stringify(state)] }));
    this.currentState = state;
  }

  async derive(onProgress: OnProgress): Promise<void> {
    await this.analyze();
    const getPosition = () => Number(this.state.places[derivedKey]?.[0] ?? 0);
    const text = 'SELECT count(*), count(*) FILTER (WHERE pk <= $1::bigint) FROM record';
    const [[total, doneBefore] = []] = await this.exclusive.database.rows({ text, values: [getPosition()] });
    let doneCount = Number(doneBefore);
    for (let lastRecord = -1; lastRecord < getPosition();) {
      lastRecord = getPosition();
      await this.advance(derivedKey, async (session) => {
        const { lastMovedRecord, recordCount } = await deriveNextRecords(session, lastRecord);
        doneCount += recordCount;
        return [lastMovedRecord];
      });
      onProgress(doneCount, Number(total));
    }
  }

  async end(key: SealKey | undefined): Promise<void> {
    const { state } = this;
    await this.transaction(async (session) => {
      await session.rows({ text: beginSql, values: [localChain, initialSeal] });
      for (const [sequence, table, column] of sequences) {
        const text = `SELECT setval(${sequence}, coalesce(max(${column}), 1), max(${column}) IS NOT NULL) FROM ${table}`;
        await session.rows({ text });
      }
      await addTo(session, localChain, [entryOf(state)], key);
      await new PostgresDerivationStatus(this.exclusive.database, derivations).markAllCurrent(
        session,
        Date.now(),
      );
      await session.rows({ text: 'UPDATE move SET ended = $1::bigint', values: [Date.now()] });
    });
    await this.analyze();
  }

  /** Updates the statistics of the planner. */
  private async analyze(): Promise<void> {
    await this.exclusive.database.rows({ text: 'ANALYZE' }).catch(() => undefined);
  }

  /** Runs work in one transaction that also stores the new position. */
  private async advance(name: string, work: (session: Session) => Promise<RowKey>): Promise<void> {
    const { places, ...otherMembers } = this.state;
    this.currentState = await this.transaction(async (session) => {
      const place = await work(session);
      const state = { ...otherMembers, places: { ...places, [name]: [...place] } };
      await session.rows({ text: stateSql, values: [JSON.stringify(state)] });
      return state;
    });
  }

  private transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    this.exclusive.assertExclusive();
    return this.exclusive.database.transaction(work);
  }
}

/**
 * Derives index rows and findings of the next batch of records after `record`. Returns its last record and
 * its size. Call it within a transaction. A record with a damaged text keeps the moved rows.
 */
async function deriveNextRecords(
  session: Session,
  record: number,
): Promise<{ readonly lastMovedRecord: number; readonly recordCount: number }> {
  const now = Date.now();
  const where = 'r.pk > $1::bigint';
  const { records } = await readNextRecords(session, { where, orderBy: 'pk', values: [record] });
  const rebuilt = await rebuildTargets(records, () => allRows, { now, milliseconds: Infinity });
  const findingEndCounter = new FindingEndCounter();
  await writeRebuilt({ session, findingEndCounter }, rebuilt, now);
  await findingEndCounter.write(session);
  return { lastMovedRecord: records.at(-1)?.record ?? record, recordCount: records.length };
}
