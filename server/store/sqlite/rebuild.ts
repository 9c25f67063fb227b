import type { Derivation } from '../../../core/derive/derivations.ts';
import type { DerivedRows } from '../../../core/derive/derive.ts';
import { perType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import { DerivationStatus, type Rebuild } from './derivation-status.ts';
import {
  getValidationTime,
  createRebuildingError,
  RebuildSpeed,
  findOutdatedPart,
} from '../derivation-plan.ts';
import type { VersionName } from '../checksum.ts';
import type { RebuildProgress, Slice } from '../derived.ts';
import { allRows, findingsOnly, scopesOf, type TypeScope } from '../index-tables.ts';
import { createRowRebuilder, positionColumns, type RecordPosition } from './row-rebuilder.ts';
import { isOfType } from '../sql.ts';
import { isDiskError, isFull, type SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Result of one batch. Valid once the transaction of the batch is committed. */
export interface RebuildBatchResult {
  readonly changedCount: number;
  readonly skippedCount: number;
  /** Last record of the batch. Undefined if the batch is empty. */
  readonly lastRecord: RecordPosition | undefined;
  /** True if no record remains. */
  readonly isEnd: boolean;
  /** True if the batch stored its progress in the file. */
  readonly isStored: boolean;
  /** Number of the rebuild. The result is ignored if another rebuild has started since. */
  readonly epoch: number;
}

/** Source of the records of a batch, and of the rows to rebuild of each. */
interface BatchSource {
  readonly findNext: (lastRecord: RecordPosition | undefined) => RecordPosition | undefined;
  readonly getScope: (position: RecordPosition) => TypeScope | undefined;
}

/** Milliseconds after which progress is stored even if no record changed. */
const progressIntervalMs = 1000;

/** Position before the first record that is due for validation. */
const beforeFirstDue = { revalidateAtMs: Number.MIN_SAFE_INTEGER, pk: 0 };

/**
 * Rebuilds the derived rows of an open database in batches. First come the records with outdated rows, then the records
 * whose findings expired at midnight.
 *
 * A batch writes in the transaction of the caller and changes no field, because the caller may roll it back and run it
 * again. `applyResult` updates the fields after the commit.
 */
export class RecordRebuild {
  readonly status: DerivationStatus;
  /** True if the file stores which parts are outdated. */
  isPlanStored = false;
  /** Number of unreadable records in the current rebuild, or in the last rebuild since the program started. */
  skippedCount = 0;
  private readonly derivations: readonly Derivation[];
  private readonly rowRebuilder: ReturnType<typeof createRowRebuilder>;
  private readonly statements: ReturnType<typeof prepare>;
  private epoch = 0;
  /** Primary key of the last rebuilt record. */
  private lastRebuiltPk = 0;
  private lastStoredAtMs = 0;
  private readonly speed = new RebuildSpeed();
  /** Position of the last record that was validated again because its findings expired. */
  private lastValidated: Pick<RecordPosition, 'pk' | 'revalidateAtMs'> = beforeFirstDue;
  /** Instant of the last pass over all records with expired findings. */
  private lastValidationMs = 0;

  constructor(database: SqliteDatabase, derivations: readonly Derivation[]) {
    this.derivations = derivations;
    this.status = new DerivationStatus(database, derivations);
    this.rowRebuilder = createRowRebuilder(database);
    this.statements = prepare(database);
    try {
      if (database.readonly) this.resume();
      else this.storePlan();
    } catch (error) {
      // Records can be read without a stored plan. `isPlanStored` stays false, so that the next batch retries.
      if (!isFull(error) && !isDiskError(error)) throw error;
      this.resume();
    }
  }

  /** Stores in the file which parts are outdated, and starts their rebuild. */
  storePlan(): void {
    this.status.load();
    this.status.storePlan(Date.now());
    this.isPlanStored = true;
    this.resume();
  }

  /** Resumes the rebuild that the file stores, if there is one. */
  resume(): void {
    this.status.load();
    const { rebuild } = this.status;
    this.epoch += 1;
    this.lastRebuiltPk = rebuild?.lastRebuiltPk ?? 0;
    this.skippedCount = rebuild?.skippedCount ?? 0;
    this.speed.reset();
    this.lastValidated = beforeFirstDue;
  }

  /** Starts the rebuild of parts. The caller opens the transaction. */
  startRebuildOf(parts: ReadonlySet<string>, now: number): void {
    this.status.startRebuildOf(parts, now);
    this.resume();
  }

  get progress(): RebuildProgress | undefined {
    const { rebuild } = this.status;
    return (
      rebuild && {
        parts: [...rebuild.parts],
        done: this.lastRebuiltPk,
        total: rebuild.endPk,
        skipped: this.skippedCount,
      }
    );
  }

  /** Instant since which all records are validated by the current rules. Undefined if some are not. */
  get validatedAtMs(): number | undefined {
    return getValidationTime(this.status.currentParts, this.lastValidationMs);
  }

  /** @throws FhirError `rebuilding` if a search needs outdated rows (row 88 of docs/api-rows.md). */
  assertSearchable(criteria: SearchCriteria): void {
    const { currentParts } = this.status;
    if (currentParts.size === this.derivations.length) return;
    const outdatedPart = findOutdatedPart(criteria, currentParts);
    if (outdatedPart === undefined) return;
    const progress = this.progress ?? { done: 0, total: 0 };
    throw createRebuildingError(outdatedPart, progress, this.speed.estimateSeconds(progress));
  }

  /** Rebuilds the next records within a time slice. */
  runBatch(slice: Slice): RebuildBatchResult {
    const { rebuild } = this.status;
    const result = rebuild ? this.rebuildNext(rebuild, slice) : this.revalidateDue(slice);
    return { ...result, epoch: this.epoch };
  }

  /** Applies the result of a committed batch. Returns true if more work remains. */
  applyResult(
    { skippedCount, lastRecord, isEnd, isStored, epoch }: RebuildBatchResult,
    now: number,
  ): boolean {
    if (epoch !== this.epoch) return true;
    if (!this.status.rebuild) {
      this.lastValidated = isEnd ? beforeFirstDue : (lastRecord ?? beforeFirstDue);
      if (isEnd) this.lastValidationMs = now;
      return !isEnd;
    }
    this.speed.addSample(this.lastRebuiltPk);
    this.lastRebuiltPk = lastRecord?.pk ?? this.lastRebuiltPk;
    this.skippedCount += skippedCount;
    if (isStored) this.lastStoredAtMs = performance.now();
    if (isEnd) this.status.load();
    // Even at the end of the rebuild, the records with expired findings remain.
    return true;
  }

  /** Returns true if the stored rows of a current version differ from the expected rows. */
  differs({ type, id, version }: VersionName, expectedRows: DerivedRows): boolean {
    const position = this.statements.byVersion[type].get(id, version);
    return position !== undefined && this.rowRebuilder.differs(position, expectedRows);
  }

  /** Replaces the stored rows of a current version by the expected rows. The caller opens the transaction. */
  correctRows({ type, id, version }: VersionName, expectedRows: DerivedRows, now: number): void {
    const position = this.statements.byVersion[type].get(id, version);
    if (position) this.rowRebuilder.write(position, expectedRows, allRows, now);
  }

  private rebuildNext({ parts, endPk }: Rebuild, slice: Slice): Omit<RebuildBatchResult, 'epoch'> {
    const scopes = scopesOf(parts, this.derivations);
    const result = this.rebuildForDuration(slice, {
      findNext: (lastRecord) => this.statements.next.get(lastRecord?.pk ?? this.lastRebuiltPk, endPk),
      getScope: ({ type }) => scopes.get(type),
    });
    const { lastRecord, isEnd, changedCount } = result;
    if (isEnd) this.status.finishRebuild(slice.now);
    const isStored =
      isEnd || changedCount > 0 || performance.now() > this.lastStoredAtMs + progressIntervalMs;
    if (isStored && !isEnd)
      this.status.storeProgress(
        lastRecord?.pk ?? this.lastRebuiltPk,
        this.skippedCount + result.skippedCount,
      );
    return { ...result, isStored };
  }

  private revalidateDue(slice: Slice): Omit<RebuildBatchResult, 'epoch'> {
    const result = this.rebuildForDuration(slice, {
      findNext: (lastRecord) => {
        const { revalidateAtMs, pk } = lastRecord ?? this.lastValidated;
        return this.statements.due.get(slice.now, revalidateAtMs, pk);
      },
      getScope: () => findingsOnly,
    });
    return { ...result, isStored: false };
  }

  /** Rebuilds at least one record, and more until the time slice ends. */
  private rebuildForDuration(
    { now, milliseconds }: Slice,
    { findNext, getScope }: BatchSource,
  ): Omit<RebuildBatchResult, 'isStored' | 'epoch'> {
    const endMs = performance.now() + milliseconds;
    const counts = { same: 0, changed: 0, skipped: 0 };
    let lastRecord: RecordPosition | undefined;
    do {
      const position = findNext(lastRecord);
      if (!position)
        return { changedCount: counts.changed, skippedCount: counts.skipped, lastRecord, isEnd: true };
      const scope = getScope(position);
      if (scope) counts[this.rowRebuilder.rebuild(position, scope, now)] += 1;
      lastRecord = position;
    } while (performance.now() < endMs);
    return { changedCount: counts.changed, skippedCount: counts.skipped, lastRecord, isEnd: false };
  }
}

function prepare(database: SqliteDatabase) {
  return {
    next: database.prepare<unknown[], RecordPosition>(
      `SELECT ${positionColumns} FROM record WHERE pk > ? AND pk <= ? ORDER BY pk LIMIT 1`,
    ),
    due: database.prepare<unknown[], RecordPosition>(
      `SELECT ${positionColumns} FROM record WHERE judge_again <= ? AND (judge_again, pk) > (?, ?)
       ORDER BY judge_again, pk LIMIT 1`,
    ),
    byVersion: perType((type) =>
      database.prepare<unknown[], RecordPosition>(
        `SELECT ${positionColumns} FROM record r WHERE ${isOfType('r', type)} AND id = ? AND version = ?`,
      ),
    ),
  };
}
