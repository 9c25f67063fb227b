import type { Derivation } from '../../../core/derive/derivations.ts';
import type { DerivedRows } from '../../../core/derive/derive.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { DerivationStatus, type Rebuild } from './derivation-status.ts';
import { getValidationTime, rebuilding, RebuildSpeed, uncoveredFor } from '../derivation-plan.ts';
import type { RebuildProgress, Slice } from '../derived.ts';
import { allRows, rulesAlone, scopesOf, type TypeScope } from '../derive-scope.ts';
import { createRowRebuilder, type RecordPosition } from './row-rebuilder.ts';
import { isOfType } from '../sql.ts';
import { isDiskError, isFull, type SqliteDatabase } from './sqlite.ts';

/** Result of one batch. Valid once the batch is committed. */
export interface RebuildBatchResult {
  readonly changedCount: number;
  readonly skippedCount: number;
  /** Last record of the batch. Undefined if there was none. */
  readonly lastRecord: RecordPosition | undefined;
  /** True if no record follows. */
  readonly ended: boolean;
  /** True if the progress is stored in the file. */
  readonly noted: boolean;
  /** Epoch of the rebuild. The result is ignored if another rebuild started since. */
  readonly epoch: number;
}

/** Records of a batch, and their parts to rebuild. */
interface Records {
  readonly next: (lastRecord: RecordPosition | undefined) => RecordPosition | undefined;
  readonly scopeOf: (position: RecordPosition) => TypeScope | undefined;
}

/** Interval in milliseconds at which progress is stored without changes. */
const progressIntervalMs = 1000;

const firstDue = { judge_again: Number.MIN_SAFE_INTEGER, pk: 0 };

/**
 * Rebuilds records of an open database: first those of the rebuild, then those whose findings depend on the date. A
 * batch
 * writes in the transaction of the caller. It keeps no state, because it may be rolled back and run again.
 */
export class RecordRebuild {
  readonly coverage: DerivationStatus;
  /** True if the file stores the parts to rebuild. */
  settled = false;
  /** Unreadable records of the current rebuild, or of the last one in this run. */
  skippedCount = 0;
  private readonly derivations: readonly Derivation[];
  private readonly remake: ReturnType<typeof createRowRebuilder>;
  private readonly statements: ReturnType<typeof prepare>;
  private epoch = 0;
  private done = 0;
  private lastStoredAtMs = 0;
  private readonly speed = new RebuildSpeed();
  private due: Pick<RecordPosition, 'pk' | 'judge_again'> = firstDue;
  private allValidatedAtMs = 0;

  constructor(database: SqliteDatabase, derivations: readonly Derivation[]) {
    this.derivations = derivations;
    this.coverage = new DerivationStatus(database, derivations);
    this.remake = createRowRebuilder(database);
    this.statements = prepare(database);
    try {
      if (database.readonly) this.start();
      else this.settle();
    } catch (error) {
      // Reading works without it. `settled` stays false, so that it is retried.
      if (!isFull(error) && !isDiskError(error)) throw error;
      this.start();
    }
  }

  /** Stores the outdated parts in the file and starts their rebuild. */
  settle(): void {
    this.coverage.load();
    this.coverage.settle(Date.now());
    this.settled = true;
    this.start();
  }

  /** Resumes or starts the rebuild that the file stores. */
  start(): void {
    this.coverage.load();
    const { rebuild } = this.coverage;
    this.epoch += 1;
    this.done = rebuild?.done ?? 0;
    this.skippedCount = rebuild?.skipped ?? 0;
    this.speed.forget();
    this.due = firstDue;
  }

  /** Starts the rebuild of parts. The caller opens the transaction. */
  begin(parts: ReadonlySet<string>, now: number): void {
    this.coverage.begin(parts, now);
    this.start();
  }

  get progress(): RebuildProgress | undefined {
    const { rebuild } = this.coverage;
    return (
      rebuild && {
        parts: [...rebuild.parts],
        done: this.done,
        total: rebuild.last,
        skipped: this.skippedCount,
      }
    );
  }

  get validatedAt(): number | undefined {
    return getValidationTime(this.coverage.currentParts, this.allValidatedAtMs);
  }

  /** @throws FhirError `rebuilding` if index rows for the search are not yet rebuilt for all records (row 88). */
  check(criteria: SearchCriteria): void {
    const { currentParts } = this.coverage;
    if (currentParts.size === this.derivations.length) return;
    const outdatedParts = uncoveredFor(criteria, currentParts);
    if (outdatedParts === undefined) return;
    const progress = this.progress ?? { done: 0, total: 0 };
    throw rebuilding(outdatedParts, progress, this.speed.wait(progress));
  }

  pass(slice: Slice): RebuildBatchResult {
    const { rebuild } = this.coverage;
    const result = rebuild ? this.passRecords(rebuild, slice) : this.passDue(slice);
    return { ...result, epoch: this.epoch };
  }

  /** Applies the result of a committed batch. Returns true if more work remains. */
  take(
    { skippedCount, lastRecord, ended: isEnd, noted: isStored, epoch }: RebuildBatchResult,
    now: number,
  ): boolean {
    if (epoch !== this.epoch) return true;
    if (!this.coverage.rebuild) {
      this.due = isEnd ? firstDue : (lastRecord ?? firstDue);
      if (isEnd) this.allValidatedAtMs = now;
      return !isEnd;
    }
    this.speed.note(this.done);
    this.done = lastRecord?.pk ?? this.done;
    this.skippedCount += skippedCount;
    if (isStored) this.lastStoredAtMs = performance.now();
    if (isEnd) this.coverage.load();
    // After the rebuild come the records whose findings depend on the date.
    return true;
  }

  /** Returns true if the rows of a version differ from the derived ones. With `now`, corrects them. */
  mend(type: ResourceType, id: string, version: number, expectedRows: DerivedRows, now?: number): boolean {
    const position = this.statements.named[type].get(id, version);
    if (!position) return false;
    if (now === undefined) return this.remake.differs(position, expectedRows);
    return this.remake.write(position, expectedRows, allRows, now);
  }

  private passRecords({ parts, last: until }: Rebuild, slice: Slice): Omit<RebuildBatchResult, 'epoch'> {
    const scopes = scopesOf(parts, this.derivations);
    const result = this.rebuildUntilTimeout(slice, {
      next: (lastRecord) => this.statements.next.get(lastRecord?.pk ?? this.done, until),
      scopeOf: ({ type }) => scopes.get(type),
    });
    const { lastRecord: latestRecord, ended: isEnd, changedCount } = result;
    if (isEnd) this.coverage.end(slice.now);
    const isStored =
      isEnd || changedCount > 0 || performance.now() > this.lastStoredAtMs + progressIntervalMs;
    if (isStored && !isEnd)
      this.coverage.advance(latestRecord?.pk ?? this.done, this.skippedCount + result.skippedCount);
    return { ...result, noted: isStored };
  }

  private passDue(slice: Slice): Omit<RebuildBatchResult, 'epoch'> {
    const result = this.rebuildUntilTimeout(slice, {
      next: (lastRecord) => {
        const { judge_again: day, pk } = lastRecord ?? this.due;
        return this.statements.due.get(slice.now, day, pk);
      },
      scopeOf: () => rulesAlone,
    });
    return { ...result, noted: false };
  }

  /** Rebuilds records until the time of the batch is over, at least one. */
  private rebuildUntilTimeout(
    { now, milliseconds }: Slice,
    { next, scopeOf }: Records,
  ): Omit<RebuildBatchResult, 'noted' | 'epoch'> {
    const end = performance.now() + milliseconds;
    const counts = { same: 0, changed: 0, skipped: 0 };
    let lastRecord: RecordPosition | undefined;
    do {
      const position = next(lastRecord);
      if (!position)
        return { changedCount: counts.changed, skippedCount: counts.skipped, lastRecord, ended: true };
      const scope = scopeOf(position);
      if (scope) counts[this.remake.remake(position, scope, now)] += 1;
      lastRecord = position;
    } while (performance.now() < end);
    return { changedCount: counts.changed, skippedCount: counts.skipped, lastRecord, ended: false };
  }
}

function prepare(database: SqliteDatabase) {
  const columns = 'pk, type, current, issues_crc32, judge_again';
  return {
    next: database.prepare<unknown[], RecordPosition>(
      `SELECT ${columns} FROM record WHERE pk > ? AND pk <= ? ORDER BY pk LIMIT 1`,
    ),
    due: database.prepare<unknown[], RecordPosition>(
      `SELECT ${columns} FROM record WHERE judge_again <= ? AND (judge_again, pk) > (?, ?)
       ORDER BY judge_again, pk LIMIT 1`,
    ),
    named: perType((type) =>
      database.prepare<unknown[], RecordPosition>(
        `SELECT ${columns} FROM record r WHERE ${isOfType('r', type)} AND id = ? AND version = ?`,
      ),
    ),
  };
}
