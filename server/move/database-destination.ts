import { derivations } from '../../core/derive/derivations.ts';
import { parseAs } from '../../core/json/shape.ts';
import { noSeal, type SealKey } from '../store/audit-chain.ts';
import { ownChain } from '../store/audit-chains.ts';
import { everything } from '../store/derive-scope.ts';
import { addTo } from '../store/postgres/chain.ts';
import { PostgresCoverage } from '../store/postgres/coverage.ts';
import type { Session } from '../store/postgres/connection.ts';
import { FindingEnds } from '../store/postgres/finding-ends.ts';
import { madeAnew, writeMade } from '../store/postgres/made-anew.ts';
import { nextRecords } from '../store/postgres/next-records.ts';
import { alone, type AloneDatabase } from './alone.ts';
import type { Made, MoveDestination } from './ends.ts';
import type { DatabaseHalf, Kind, Place } from './kind.ts';
import { kinds } from './kinds.ts';
import { entryOf, MoveState, type KnownMove } from './state.ts';

/**
 * Has a shared store written, to which no server writes until the move has ended.
 *
 * @throws Error with a sentence where a server writes, or the role may not do what a move does; StoreError.
 */
export function withDestinationDatabase<Result>(
  address: string,
  use: (destination: MoveDestination) => Promise<Result>,
): Promise<Result> {
  return alone(address, async (database) => {
    const text = "SELECT has_table_privilege('move', 'INSERT')";
    const [[may] = []] = await database.database.rows({ text });
    if (!may)
      throw new Error(
        'A move writes what no server may. Name in --to the role that owns the tables, as for `chartkeeper migrate`.',
      );
    return use(new DestinationDatabase(database));
  });
}

/** In a move's state, up to which record it has made what texts tell. */
const derived = 'derived';

const stateText = 'UPDATE move SET state = $1';

/** The first server's chain goes on as the source's own, which may be empty. */
const beginText = 'INSERT INTO node (node, seq, seal) VALUES ($1, 0, $2) ON CONFLICT (node) DO NOTHING';

/** What hands out numbers goes on behind those that came. */
const numberings = [
  [`'version_pk'`, 'version', 'pk'],
  [`pg_get_serial_sequence('record', 'pk')`, 'record', 'pk'],
  [`pg_get_serial_sequence('audit', 'place')`, 'audit', 'place'],
] as const;

class DestinationDatabase implements MoveDestination {
  private readonly alone: AloneDatabase;
  private at: MoveState | undefined;

  constructor(database: AloneDatabase) {
    this.alone = database;
  }

  get name(): string {
    return this.alone.name;
  }

  async known(): Promise<KnownMove | undefined> {
    const text = 'SELECT state, ended FROM move';
    const [row] = await this.alone.database.rows({ text });
    if (!row) return undefined;
    const state = parseAs(MoveState, String(row[0]));
    if (!state)
      throw new Error(`What ${this.name} says of a move into it cannot be read. Make a new database.`);
    return { state, ended: row[1] !== null };
  }

  async begin(state: MoveState): Promise<void> {
    for (const kind of kinds) {
      if (!(await kind.first(this))) continue;
      throw new Error(`${this.name} is not empty: it has ${kind.name}. Name a new database in --to.`);
    }
    const text = 'INSERT INTO move (state) VALUES ($1)';
    await this.transaction((session) => session.rows({ text, values: [JSON.stringify(state)] }));
    await this.goOn(state);
  }

  goOn(state: MoveState): Promise<void> {
    this.at = state;
    return Promise.resolve();
  }

  get state(): MoveState {
    if (!this.at) throw new Error('No move has begun here.');
    return this.at;
  }

  halfOf<Row>(kind: Kind<Row>): DatabaseHalf<Row> {
    return kind.database(this.alone.database);
  }

  async clear<Row>(kind: Kind<Row>): Promise<void> {
    await this.transaction(async (session) => kind.database(session).clear?.());
  }

  write<Row>(kind: Kind<Row>, rows: readonly Row[], place: Place): Promise<void> {
    if (!kind.grows) return this.transaction((session) => kind.database(session).write(rows));
    return this.reach(kind.name, async (session) => {
      await kind.database(session).write(rows);
      return place;
    });
  }

  async save(state: MoveState): Promise<void> {
    await this.transaction((session) => session.rows({ text: stateText, values: [JSON.stringify(state)] }));
    this.at = state;
  }

  async derive(made: Made): Promise<void> {
    await this.analyze();
    const reached = () => Number(this.state.places[derived]?.[0] ?? 0);
    const text = 'SELECT count(*), count(*) FILTER (WHERE pk <= $1::bigint) FROM record';
    const [[total, before] = []] = await this.alone.database.rows({ text, values: [reached()] });
    let done = Number(before);
    for (let from = -1; from < reached();) {
      from = reached();
      await this.reach(derived, async (session) => {
        const { last, records } = await deriveBehind(session, from);
        done += records;
        return [last];
      });
      made(done, Number(total));
    }
  }

  async end(key: SealKey | undefined): Promise<void> {
    const { state } = this;
    await this.transaction(async (session) => {
      await session.rows({ text: beginText, values: [ownChain, noSeal] });
      for (const [sequence, table, column] of numberings) {
        const text = `SELECT setval(${sequence}, coalesce(max(${column}), 1), max(${column}) IS NOT NULL) FROM ${table}`;
        await session.rows({ text });
      }
      await addTo(session, ownChain, [entryOf(state)], key);
      await new PostgresCoverage(this.alone.database, derivations).noteAll(session, Date.now());
      await session.rows({ text: 'UPDATE move SET ended = $1::bigint', values: [Date.now()] });
    });
    await this.analyze();
  }

  /** Has the planner know what came. */
  private async analyze(): Promise<void> {
    await this.alone.database.rows({ text: 'ANALYZE' }).catch(() => undefined);
  }

  /** Does work in one transaction with the note of how far it came. */
  private async reach(name: string, work: (session: Session) => Promise<Place>): Promise<void> {
    const { places, ...others } = this.state;
    this.at = await this.transaction(async (session) => {
      const place = await work(session);
      const state = { ...others, places: { ...places, [name]: [...place] } };
      await session.rows({ text: stateText, values: [JSON.stringify(state)] });
      return state;
    });
  }

  private transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    this.alone.assertAlone();
    return this.alone.database.transaction(work);
  }
}

/**
 * Makes of the texts of the records behind one, as many as are read together, what they are found by and what is wrong with
 * them; answers the last of them, and how many there were. Belongs into a transaction of the caller's. A record whose text is
 * damaged keeps what it came with.
 */
async function deriveBehind(
  session: Session,
  record: number,
): Promise<{ readonly last: number; readonly records: number }> {
  const now = Date.now();
  const where = 'r.pk > $1::bigint';
  const { records } = await nextRecords(session, { where, by: 'pk', values: [record] });
  const made = await madeAnew(records, () => everything, { now, milliseconds: Infinity });
  const ends = new FindingEnds();
  await writeMade({ session, ends }, made, now);
  await ends.write(session);
  return { last: records.at(-1)?.record ?? record, records: records.length };
}
