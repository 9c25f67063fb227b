/**
 * Which parts of what is derived stand as this program makes them, of all records, and the rebuild of those that do not
 * (server/store/sqlite/coverage.ts), for all servers of a store. Invariant: records are written by the program whose derivations
 * hold, and by no other: the one that was started last. Whoever has its own hold waits for the chain of each server, whose
 * row says so too, so that nothing of another program's is committed behind it.
 */
import { createHash } from 'node:crypto';
import type { Derivation } from '../../../core/derive/derivations.ts';
import { settlingOf, type Stamps } from '../coverage-plan.ts';
import { otherProgram } from './chain.ts';
import type { Postgres, Session } from './connection.ts';
import { listsOf } from './version-rows.ts';

/** What is noted. */
export interface Deriving {
  readonly program: string;
  /** The parts that stand as this program makes them, and since when. */
  readonly covered: ReadonlyMap<string, number>;
  /** Stamps of all parts that are noted as covered. */
  readonly noted: Stamps;
  /** Stamps of the parts that are made anew, as they are noted; empty where none are. */
  readonly parts: string;
  /** Up to which record they are, and to which they are to be. */
  readonly done: number;
  readonly last: number;
  readonly skipped: number;
  readonly judged: number;
}

const noParts = '{}';

const readText = `SELECT d.program, d.parts, d.done, d.last, d.skipped, d.judged,
  (SELECT coalesce(json_object_agg(part, json_build_array(stamp, made)), '{}')::text FROM derivation) FROM deriving d`;

const coverText = `INSERT INTO derivation (part, stamp, made)
  SELECT w.*, $3::bigint FROM unnest($1::text[], $2::text[]) w(part, stamp)
  ON CONFLICT (part) DO UPDATE SET stamp = excluded.stamp, made = excluded.made`;

const advanceText = `UPDATE deriving SET done = $4::bigint, skipped = skipped + $5::integer
  WHERE program = $1 AND parts = $2 AND done = $3::bigint RETURNING 1`;

export class PostgresCoverage {
  /** The name of the derivations by which this server writes. */
  readonly program: string;
  private readonly stamps: Stamps;
  private readonly database: Postgres;

  constructor(database: Postgres, derivations: readonly Derivation[]) {
    this.database = database;
    this.stamps = new Map(derivations.map(({ name, stamp }) => [name, stamp]));
    this.program = programOf(derivations);
  }

  async read(session: Session = this.database): Promise<Deriving> {
    const [row = []] = await session.rows({ text: readText });
    const [program = '', parts = noParts, done, last, skipped, judged, noted = '{}'] = row;
    const found = Object.entries(JSON.parse(String(noted)) as Record<string, [string, number]>);
    return {
      ...{ program: String(program), parts: String(parts), done: Number(done), last: Number(last) },
      ...{ skipped: Number(skipped ?? 0), judged: Number(judged ?? 0) },
      noted: new Map(found.map(([part, [stamp]]) => [part, stamp])),
      covered: new Map(
        found.flatMap(([part, [stamp, made]]) => (this.stamps.get(part) === stamp ? [[part, made]] : [])),
      ),
    };
  }

  /** Has this program's derivations hold, and notes what is to be made anew (settlingOf). */
  async settle(now: number): Promise<void> {
    const before = await this.read();
    if (before.program === this.program && !this.settling(before)) return;
    await this.changing(async (session) => {
      const values = [this.program];
      await session.rows({ text: 'UPDATE deriving SET program = $1', values });
      await session.rows({ text: 'UPDATE node SET program = $1 WHERE program <> $1', values });
      const settling = this.settling(await this.read(session));
      if (!settling) return;
      const text = 'DELETE FROM derivation WHERE part = ANY ($1::text[])';
      await session.rows({ text, values: [settling.outdated] });
      if (settling.begin) await this.begin(session, settling.begin, now);
    });
  }

  /**
   * Begins the rebuild of parts that are named by what is under way.
   *
   * @throws StoreBusyError where another program's derivations hold.
   */
  async renew(partsOf: (under: ReadonlySet<string>) => ReadonlySet<string>, now: number): Promise<void> {
    await this.changing(async (session) => {
      const { program, parts } = await this.read(session);
      if (program !== this.program) throw otherProgram();
      const under = new Set(stampsIn(parts).keys());
      const wanted = partsOf(under);
      if (wanted.size > under.size) await this.begin(session, wanted, now);
    });
  }

  /** Notes that the rebuild is at a record, where it still is where it was; belongs in front of what is written of it. */
  async advance(session: Session, { parts, done }: Deriving, at: number, skipped: number): Promise<boolean> {
    const values = [this.program, parts, done, at, skipped];
    return (await session.rows({ text: advanceText, values })).length > 0;
  }

  /** Ends the rebuild, where it still is where it was: its parts are covered. */
  async end({ parts, done }: Deriving, now: number): Promise<void> {
    await this.changing(async (session) => {
      const text = `UPDATE deriving SET parts = '${noParts}'
        WHERE program = $1 AND parts = $2 AND done = $3::bigint RETURNING 1`;
      const ended = await session.rows({ text, values: [this.program, parts, done] });
      if (ended.length > 0) await cover(session, stampsIn(parts), now);
    });
  }

  /** Has this program's derivations hold, and notes that the rows of all records were made by them. */
  async noteAll(session: Session, now: number): Promise<void> {
    await session.rows({ text: 'INSERT INTO deriving DEFAULT VALUES ON CONFLICT DO NOTHING' });
    const text = 'UPDATE deriving SET program = $1, judged = $2::bigint';
    await session.rows({ text, values: [this.program, now] });
    await session.rows({ text: 'UPDATE node SET program = $1', values: [this.program] });
    await cover(session, this.stamps, now);
  }

  /** Notes that all records are judged. */
  async noteJudged(now: number): Promise<void> {
    const text = 'UPDATE deriving SET judged = $2::bigint WHERE program = $1 AND judged < $2::bigint';
    await this.database.rows({ text, values: [this.program, now] });
  }

  /**
   * Holds off whoever has other derivations hold, until the transaction ends.
   *
   * @throws StoreBusyError where somebody did.
   */
  async guard(session: Session): Promise<void> {
    const text = 'SELECT 1 FROM deriving WHERE program = $1 FOR SHARE';
    if ((await session.rows({ text, values: [this.program] })).length === 0) throw otherProgram();
  }

  /**
   * Notes that rows of a record are mended while its version stays; as {@link guard}, until the transaction ends.
   *
   * @throws StoreBusyError where somebody has other derivations hold.
   */
  async noteMended(session: Session): Promise<void> {
    const text = 'UPDATE deriving SET mended = mended + 1 WHERE program = $1 RETURNING 1';
    if ((await session.rows({ text, values: [this.program] })).length === 0) throw otherProgram();
  }

  private settling({ noted, parts }: Deriving) {
    return settlingOf(this.stamps, noted, parts === noParts ? undefined : stampsIn(parts));
  }

  /** Changes what is noted, one behind the other. */
  private changing(work: (session: Session) => Promise<void>): Promise<void> {
    return this.database.transaction(async (session) => {
      await session.rows({ text: 'INSERT INTO deriving DEFAULT VALUES ON CONFLICT DO NOTHING' });
      await session.rows({ text: 'SELECT 1 FROM deriving FOR UPDATE' });
      await work(session);
    });
  }

  private async begin(session: Session, parts: ReadonlySet<string>, now: number): Promise<void> {
    const stamps = new Map([...this.stamps].filter(([part]) => parts.has(part)));
    const [[last] = []] = await session.rows({ text: 'SELECT max(pk) FROM record' });
    const nothing = typeof last !== 'number' || stamps.size === 0;
    if (nothing) await cover(session, stamps, now);
    const text = 'UPDATE deriving SET parts = $1, done = 0, last = $2::bigint, skipped = 0';
    const noted = nothing ? noParts : JSON.stringify(Object.fromEntries(stamps));
    await session.rows({ text, values: [noted, last ?? 0] });
  }
}

/** Stamps by part, as they are noted. */
export function stampsIn(parts: string): Stamps {
  return new Map(Object.entries(JSON.parse(parts) as Record<string, string>));
}

function programOf(derivations: readonly Derivation[]): string {
  const said = derivations.map(({ name, stamp }) => [name, stamp]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
}

async function cover(session: Session, stamps: Stamps, now: number): Promise<void> {
  if (stamps.size > 0) await session.rows({ text: coverText, values: [...listsOf([...stamps], 2), now] });
}
