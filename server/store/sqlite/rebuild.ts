import type { Derivation } from '../../../core/derive/derivations.ts';
import type { Derived } from '../../../core/derive/derive.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { Coverage, type Rebuild } from './coverage.ts';
import { judgedAt, rebuilding, RebuildSpeed, uncoveredFor } from '../coverage-plan.ts';
import type { RebuildProgress, Slice } from '../derived.ts';
import { everything, rulesAlone, scopesOf, type TypeScope } from '../derive-scope.ts';
import { remaker, type RecordPlace } from './remake.ts';
import { isOfType } from '../sql.ts';
import { isDiskFault, isFull, type SqliteDatabase } from './sqlite.ts';

/** What a slice came to; it holds once the slice is committed. */
export interface Passed {
  readonly changed: number;
  readonly skipped: number;
  /** The last record; undefined where there was none. */
  readonly last: RecordPlace | undefined;
  /** Whether there was none behind it. */
  readonly ended: boolean;
  /** Whether the file says so. */
  readonly noted: boolean;
  /** Of which beginning it is: where there was another since, it means nothing any more. */
  readonly epoch: number;
}

/** Which records a slice passes over, and what of them is made anew. */
interface Records {
  readonly next: (last: RecordPlace | undefined) => RecordPlace | undefined;
  readonly scopeOf: (place: RecordPlace) => TypeScope | undefined;
}

/** Milliseconds after which a rebuild that found nothing to write notes all the same how far it is. */
const noteEvery = 1000;

const firstDue = { judge_again: Number.MIN_SAFE_INTEGER, pk: 0 };

/**
 * Passes over the records of an open database: those of the rebuild first, then those whose findings the calendar has
 * changed. A slice writes within the caller's transaction and remembers nothing, as it may be undone and run again.
 */
export class RecordRebuild {
  readonly coverage: Coverage;
  /** Whether the file knows what is to be made anew. */
  settled = false;
  /** Records that the rebuild under way, or the last of this run, could not read. */
  skipped = 0;
  private readonly derivations: readonly Derivation[];
  private readonly remake: ReturnType<typeof remaker>;
  private readonly statements: ReturnType<typeof prepare>;
  private epoch = 0;
  private done = 0;
  private noted = 0;
  private readonly speed = new RebuildSpeed();
  private due: Pick<RecordPlace, 'pk' | 'judge_again'> = firstDue;
  private allJudged = 0;

  constructor(database: SqliteDatabase, derivations: readonly Derivation[]) {
    this.derivations = derivations;
    this.coverage = new Coverage(database, derivations);
    this.remake = remaker(database);
    this.statements = prepare(database);
    try {
      if (database.readonly) this.start();
      else this.settle();
    } catch (error) {
      // What is stored is read all the same; `settled` says that this is to be tried again.
      if (!isFull(error) && !isDiskFault(error)) throw error;
      this.start();
    }
  }

  /** Notes in the file what is to be made anew, and goes on with it. */
  settle(): void {
    this.coverage.load();
    this.coverage.settle(Date.now());
    this.settled = true;
    this.start();
  }

  /** Goes on, or begins, as the file says. */
  start(): void {
    this.coverage.load();
    const { rebuild } = this.coverage;
    this.epoch += 1;
    this.done = rebuild?.done ?? 0;
    this.skipped = rebuild?.skipped ?? 0;
    this.speed.forget();
    this.due = firstDue;
  }

  /** Begins the rebuild of parts; within the caller's transaction. */
  begin(parts: ReadonlySet<string>, now: number): void {
    this.coverage.begin(parts, now);
    this.start();
  }

  get progress(): RebuildProgress | undefined {
    const { rebuild } = this.coverage;
    return (
      rebuild && { parts: [...rebuild.parts], done: this.done, total: rebuild.last, skipped: this.skipped }
    );
  }

  get judged(): number | undefined {
    return judgedAt(this.coverage.covered, this.allJudged);
  }

  /** @throws FhirError `rebuilding` where rows that a search needs are not yet made of all records (row 88). */
  check(criteria: SearchCriteria): void {
    const { covered } = this.coverage;
    if (covered.size === this.derivations.length) return;
    const what = uncoveredFor(criteria, covered);
    if (what === undefined) return;
    const progress = this.progress ?? { done: 0, total: 0 };
    throw rebuilding(what, progress, this.speed.wait(progress));
  }

  pass(slice: Slice): Passed {
    const { rebuild } = this.coverage;
    const passed = rebuild ? this.passRecords(rebuild, slice) : this.passDue(slice);
    return { ...passed, epoch: this.epoch };
  }

  /** Takes over what a slice came to; answers whether there is more to do. */
  take({ skipped, last, ended, noted, epoch }: Passed, now: number): boolean {
    if (epoch !== this.epoch) return true;
    if (!this.coverage.rebuild) {
      this.due = ended ? firstDue : (last ?? firstDue);
      if (ended) this.allJudged = now;
      return !ended;
    }
    this.speed.note(this.done);
    this.done = last?.pk ?? this.done;
    this.skipped += skipped;
    if (noted) this.noted = performance.now();
    if (ended) this.coverage.load();
    // Behind the rebuild come the records whose day has come.
    return true;
  }

  /** Whether a version's rows are not those that it gives; where it is told when it is now, they are made so. */
  mend(type: ResourceType, id: string, version: number, derived: Derived, now?: number): boolean {
    const place = this.statements.named[type].get(id, version);
    if (!place) return false;
    if (now === undefined) return this.remake.differs(place, derived);
    return this.remake.write(place, derived, everything, now);
  }

  private passRecords({ parts, last: until }: Rebuild, slice: Slice): Omit<Passed, 'epoch'> {
    const scopes = scopesOf(parts, this.derivations);
    const passed = this.each(slice, {
      next: (last) => this.statements.next.get(last?.pk ?? this.done, until),
      scopeOf: ({ type }) => scopes.get(type),
    });
    const { last, ended, changed } = passed;
    if (ended) this.coverage.end(slice.now);
    const noted = ended || changed > 0 || performance.now() > this.noted + noteEvery;
    if (noted && !ended) this.coverage.advance(last?.pk ?? this.done, this.skipped + passed.skipped);
    return { ...passed, noted };
  }

  private passDue(slice: Slice): Omit<Passed, 'epoch'> {
    const passed = this.each(slice, {
      next: (last) => {
        const { judge_again: day, pk } = last ?? this.due;
        return this.statements.due.get(slice.now, day, pk);
      },
      scopeOf: () => rulesAlone,
    });
    return { ...passed, noted: false };
  }

  /** Makes records anew until the slice's time is over; one in any case. */
  private each({ now, milliseconds }: Slice, { next, scopeOf }: Records): Omit<Passed, 'noted' | 'epoch'> {
    const end = performance.now() + milliseconds;
    const counts = { same: 0, changed: 0, skipped: 0 };
    let last: RecordPlace | undefined;
    do {
      const place = next(last);
      if (!place) return { ...counts, last, ended: true };
      const scope = scopeOf(place);
      if (scope) counts[this.remake.remake(place, scope, now)] += 1;
      last = place;
    } while (performance.now() < end);
    return { ...counts, last, ended: false };
  }
}

function prepare(database: SqliteDatabase) {
  const columns = 'pk, type, current, issues_crc32, judge_again';
  return {
    next: database.prepare<unknown[], RecordPlace>(
      `SELECT ${columns} FROM record WHERE pk > ? AND pk <= ? ORDER BY pk LIMIT 1`,
    ),
    due: database.prepare<unknown[], RecordPlace>(
      `SELECT ${columns} FROM record WHERE judge_again <= ? AND (judge_again, pk) > (?, ?)
       ORDER BY judge_again, pk LIMIT 1`,
    ),
    named: perType((type) =>
      database.prepare<unknown[], RecordPlace>(
        `SELECT ${columns} FROM record r WHERE ${isOfType('r', type)} AND id = ? AND version = ?`,
      ),
    ),
  };
}
