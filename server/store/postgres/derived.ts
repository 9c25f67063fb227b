import { dayNumber } from '../../../core/app/days.ts';
import type { Derived } from '../../../core/derive/derive.ts';
import { rulesPart, type Derivation } from '../../../core/derive/derivations.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { judgedAt, rebuilding, RebuildSpeed, uncoveredFor } from '../coverage-plan.ts';
import { everything, rulesAlone, scopesOf, withElsewhere, type TypeScope } from '../derive-scope.ts';
import type { DerivedState, DerivedStore, Slice } from '../derived.ts';
import { otherProgram } from './chain.ts';
import type { DatabaseClock } from './clock.ts';
import type { Postgres, Session } from './connection.ts';
import { stampsIn, type Deriving, type PostgresCoverage } from './coverage.ts';
import { madeAnew, writeMade } from './made-anew.ts';
import { nextRecords, type ReadRecord } from './next-records.ts';
import { differing, mendRecords, type Target } from './record-mender.ts';
import type { Writes } from './writes.ts';

/** Milliseconds for which what is noted is known; and where a search would be refused for it. */
const known = { covered: 5000, uncovered: 250 };

const firstDue = { day: Number.MIN_SAFE_INTEGER, record: 0 };

/** The rows that describe the records of a shared store, made anew by whichever server is asked to. */
export class PostgresDerived implements DerivedStore {
  private readonly database: Postgres;
  private readonly writes: Writes;
  private readonly derivations: readonly Derivation[];
  private readonly coverage: PostgresCoverage;
  private readonly clock: Pick<DatabaseClock, 'now'>;
  private readonly speed = new RebuildSpeed();
  private settled = false;
  private due: Pick<ReadRecord, 'day' | 'record'> = firstDue;
  private last: { readonly at: number; readonly deriving: Promise<Deriving> } | undefined;

  constructor(
    database: Postgres,
    writes: Writes,
    derivations: readonly Derivation[],
    coverage: PostgresCoverage,
    clock: Pick<DatabaseClock, 'now'>,
  ) {
    this.database = database;
    this.writes = writes;
    this.derivations = derivations;
    this.coverage = coverage;
    this.clock = clock;
  }

  /** Has this program's derivations hold; to be called before its first write. */
  async settle(now: number): Promise<void> {
    await this.coverage.settle(now);
    this.settled = true;
  }

  /** @throws StoreBusyError where another program's derivations hold. */
  async ready(session: Session = this.database): Promise<void> {
    if (!this.settled) await this.settle(this.clock.now());
    if ((await this.coverage.read(session)).program !== this.coverage.program) throw otherProgram();
  }

  async state(): Promise<DerivedState> {
    const { parts, done, last, skipped, covered, judged } = await this.look(0);
    const names = [...stampsIn(parts).keys()];
    return {
      rebuild: names.length === 0 ? undefined : { parts: names, done, total: last, skipped },
      ...{ skipped, judged: judgedAt(covered, judged) },
    };
  }

  async renew(what: 'everything' | 'rules', now: number): Promise<void> {
    const wanted =
      what === 'everything' ? this.derivations.map(({ name }) => name) : resourceTypes.map(rulesPart);
    await this.coverage.renew((under) => new Set([...wanted, ...under]), now);
  }

  async step({ now, milliseconds }: Slice): Promise<boolean> {
    if (!this.settled) await this.settle(now);
    const deriving = await this.look(0);
    // The servers of another program make its rows.
    if (deriving.program !== this.coverage.program) return false;
    const names = new Set(stampsIn(deriving.parts).keys());
    if (names.size === 0) return this.passDue(now, milliseconds);
    await this.passRecords(deriving, scopesOf(names, this.derivations), { now, milliseconds });
    // Behind the rebuild come the records whose day has come.
    return true;
  }

  async mend(type: ResourceType, id: string, version: number, derived: Derived, now: number): Promise<void> {
    const text = 'SELECT pk, current FROM record WHERE type = $1 AND id = $2 AND version = $3::integer';
    const [row] = await this.database.rows({ text, values: [type, id, version] });
    if (!row) return;
    const wanted: Target['wanted'] = (standing) => ({
      ...{ ...derived, judgeAgain: derived.judgeAgain ?? null },
      issues: withElsewhere(derived.issues, standing),
    });
    const target = { record: Number(row[0]), current: Number(row[1]), wanted };
    if ((await differing(this.database, { ...everything, type }, [target])).length === 0) return;
    await this.writes.aside(async (mending) => {
      await this.coverage.noteMended(mending.session);
      await mendRecords(mending, { ...everything, type }, [target], dayNumber(now));
    });
  }

  /** Nothing else comes into the place of a shared store. */
  onOpened(): void {
    return undefined;
  }

  /** @throws FhirError `rebuilding` where rows that a search needs are not yet made of all records (row 88). */
  async check(criteria: SearchCriteria): Promise<void> {
    if (uncoveredFor(criteria, (await this.look(known.covered)).covered) === undefined) return;
    const { covered, done, last: total } = await this.look(known.uncovered);
    const what = uncoveredFor(criteria, covered);
    if (what === undefined) return;
    this.speed.note(done);
    throw rebuilding(what, { done, total }, this.speed.wait({ done, total }));
  }

  /** What is noted, as it was so many milliseconds ago at most. */
  private look(milliseconds: number): Promise<Deriving> {
    const now = performance.now();
    if (this.last && now - this.last.at < milliseconds) return this.last.deriving;
    const deriving = this.coverage.read();
    this.last = { at: now, deriving };
    deriving.then(
      ({ parts }) => {
        if (stampsIn(parts).size === 0) this.speed.forget();
      },
      () => (this.last = undefined),
    );
    return deriving;
  }

  private async passRecords(
    deriving: Deriving,
    scopes: ReadonlyMap<ResourceType, TypeScope>,
    { now, milliseconds }: Slice,
  ): Promise<void> {
    const { done, last } = deriving;
    const where = 'r.pk > $1::bigint AND r.pk <= $2::bigint';
    const { records } = await nextRecords(this.database, { where, by: 'pk', values: [done, last] });
    const at = records.at(-1)?.record;
    if (at === undefined) {
      await this.coverage.end(deriving, now);
      this.last = undefined;
      return;
    }
    const made = await madeAnew(records, (type) => scopes.get(type), { now, milliseconds });
    await this.writes.aside(async (mending) => {
      if (!(await this.coverage.advance(mending.session, deriving, at, made.skipped))) return;
      await writeMade(mending, made, now);
    });
  }

  private async passDue(now: number, milliseconds: number): Promise<boolean> {
    const where = 'r.judge_again <= $1::bigint AND (r.judge_again, r.pk) > ($2::bigint, $3::bigint)';
    const values = [now, this.due.day, this.due.record];
    const { records, ended } = await nextRecords(this.database, { where, by: 'judge_again, pk', values });
    const made = await madeAnew(records, () => rulesAlone, { now, milliseconds });
    if (made.targets.size > 0) {
      await this.writes.aside(async (mending) => {
        await this.coverage.guard(mending.session);
        await writeMade(mending, made, now);
      });
    }
    this.due = ended ? firstDue : (records.at(-1) ?? firstDue);
    if (ended) await this.noteJudged(now);
    return !ended;
  }

  /** Once a day, as the day's findings then hold. */
  private async noteJudged(now: number): Promise<void> {
    const { judged } = await this.look(known.covered);
    if (dayNumber(judged) < dayNumber(now)) await this.coverage.noteJudged(now);
  }
}
