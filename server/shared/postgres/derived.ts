import { dayNumber } from '../../../core/types/definition/dates.ts';
import type { DerivedRows } from '../../../core/derive/derive.ts';
import { rulesPart, type Derivation } from '../../../core/derive/derivations.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import type { SearchCriteria } from '../../../core/fhir/search-criteria.ts';
import {
  getValidationTime,
  createRebuildingError,
  RebuildSpeed,
  findOutdatedPart,
} from '../../store/derivation-plan.ts';
import {
  allRows,
  findingsOnly,
  scopesOf,
  mergeForeignIssues,
  type TypeScope,
} from '../../store/index-tables.ts';
import type { DerivedState, DerivedStore, Slice } from '../../store/derived.ts';
import { createOtherInstanceError } from './chain.ts';
import type { DatabaseClock } from './clock.ts';
import type { Postgres, Session } from './connection.ts';
import { parseFingerprints, type Deriving, type PostgresDerivationStatus } from './coverage.ts';
import { rebuildTargets, writeRebuilt } from './rebuilt-rows.ts';
import { readNextRecords, type ReadRecord } from './next-records.ts';
import { findDiffering, reconcileRecords, type Target } from './record-reconciler.ts';
import type { Writes } from './writes.ts';

/** Milliseconds for which the status is cached; shorter if it would reject a search. */
const cacheMs = { covered: 5000, uncovered: 250 };

const firstDue = { day: Number.MIN_SAFE_INTEGER, record: 0 };

/** Derived rows of a shared store. Any server can rebuild them. */
export class PostgresDerived implements DerivedStore {
  private readonly database: Postgres;
  private readonly writes: Writes;
  private readonly derivations: readonly Derivation[];
  private readonly coverage: PostgresDerivationStatus;
  private readonly clock: Pick<DatabaseClock, 'now'>;
  private readonly speed = new RebuildSpeed();
  private isSettled = false;
  private due: Pick<ReadRecord, 'day' | 'record'> = firstDue;
  private cachedStatus: { readonly readAtMs: number; readonly deriving: Promise<Deriving> } | undefined;

  constructor(
    database: Postgres,
    writes: Writes,
    derivations: readonly Derivation[],
    coverage: PostgresDerivationStatus,
    clock: Pick<DatabaseClock, 'now'>,
  ) {
    this.database = database;
    this.writes = writes;
    this.derivations = derivations;
    this.coverage = coverage;
    this.clock = clock;
  }

  /** Makes this program's derivations current. Call it before the first write. */
  async settle(now: number): Promise<void> {
    await this.coverage.settle(now);
    this.isSettled = true;
  }

  /** @throws StoreBusyError if another program's derivations are current. */
  async ready(session: Session = this.database): Promise<void> {
    if (!this.isSettled) await this.settle(this.clock.now());
    if ((await this.coverage.read(session)).program !== this.coverage.program)
      throw createOtherInstanceError();
  }

  async state(): Promise<DerivedState> {
    const {
      parts,
      done,
      endRecord: lastRecord,
      skippedCount,
      currentParts,
      validatedAtMs,
    } = await this.readStatus(0);
    const names = [...parseFingerprints(parts).keys()];
    return {
      rebuild:
        names.length === 0 ? undefined : { parts: names, done, total: lastRecord, skipped: skippedCount },
      skippedCount,
      validatedAtMs: getValidationTime(currentParts, validatedAtMs),
    };
  }

  async startRebuild(scope: 'everything' | 'rules', now: number): Promise<void> {
    const requestedParts =
      scope === 'everything' ? this.derivations.map(({ name }) => name) : resourceTypes.map(rulesPart);
    await this.coverage.renew((partsInProgress) => new Set([...requestedParts, ...partsInProgress]), now);
  }

  async runSlice({ now, milliseconds }: Slice): Promise<boolean> {
    if (!this.isSettled) await this.settle(now);
    const deriving = await this.readStatus(0);
    // Servers of the other program rebuild its rows.
    if (deriving.program !== this.coverage.program) return false;
    const names = new Set(parseFingerprints(deriving.parts).keys());
    if (names.size === 0) return this.passDue(now, milliseconds);
    await this.passRecords(deriving, scopesOf(names, this.derivations), { now, milliseconds });
    // Records whose day has come follow after the rebuild.
    return true;
  }

  async correctRows(
    type: ResourceType,
    id: string,
    version: number,
    rows: DerivedRows,
    now: number,
  ): Promise<void> {
    const text = 'SELECT pk, current FROM record WHERE type = $1 AND id = $2 AND version = $3::integer';
    const [row] = await this.database.rows({ text, values: [type, id, version] });
    if (!row) return;
    const expectedRows: Target['expect'] = (existingIssues) => ({
      ...rows,
      revalidateAtMs: rows.revalidateAtMs ?? null,
      issues: mergeForeignIssues(rows.issues, existingIssues),
    });
    const target = { record: Number(row[0]), current: Number(row[1]), expect: expectedRows };
    if ((await findDiffering(this.database, { ...allRows, type }, [target])).length === 0) return;
    await this.writes.addSeparately(async (context) => {
      await this.coverage.markReconciled(context.session);
      await reconcileRecords(context, { ...allRows, type }, [target], dayNumber(now));
    });
  }

  /** Does nothing: no other file can replace a shared store. */
  onOpened(): void {
    return undefined;
  }

  /** @throws FhirError `rebuilding` if rows of a search are not yet made for all records (row 88). */
  async check(criteria: SearchCriteria): Promise<void> {
    if (findOutdatedPart(criteria, (await this.readStatus(cacheMs.covered)).currentParts) === undefined)
      return;
    const { currentParts, done, endRecord: total } = await this.readStatus(cacheMs.uncovered);
    const missingPart = findOutdatedPart(criteria, currentParts);
    if (missingPart === undefined) return;
    this.speed.addSample(done);
    throw createRebuildingError(missingPart, { done, total }, this.speed.estimateSeconds({ done, total }));
  }

  /** Returns the status. It may be so many milliseconds old. */
  private readStatus(milliseconds: number): Promise<Deriving> {
    const now = performance.now();
    if (this.cachedStatus && now - this.cachedStatus.readAtMs < milliseconds)
      return this.cachedStatus.deriving;
    const deriving = this.coverage.read();
    this.cachedStatus = { readAtMs: now, deriving };
    deriving.then(
      ({ parts }) => {
        if (parseFingerprints(parts).size === 0) this.speed.reset();
      },
      () => (this.cachedStatus = undefined),
    );
    return deriving;
  }

  private async passRecords(
    deriving: Deriving,
    scopes: ReadonlyMap<ResourceType, TypeScope>,
    { now, milliseconds }: Slice,
  ): Promise<void> {
    const { done, endRecord: rebuildEnd } = deriving;
    const where = 'r.pk > $1::bigint AND r.pk <= $2::bigint';
    const { records } = await readNextRecords(this.database, {
      where,
      orderBy: 'pk',
      values: [done, rebuildEnd],
    });
    const lastRecord = records.at(-1)?.record;
    if (lastRecord === undefined) {
      await this.coverage.end(deriving, now);
      this.cachedStatus = undefined;
      return;
    }
    const rebuilt = await rebuildTargets(records, (type) => scopes.get(type), { now, milliseconds });
    await this.writes.addSeparately(async (context) => {
      if (!(await this.coverage.advance(context.session, deriving, lastRecord, rebuilt.skippedCount))) return;
      await writeRebuilt(context, rebuilt, now);
    });
  }

  private async passDue(now: number, milliseconds: number): Promise<boolean> {
    const where = 'r.judge_again <= $1::bigint AND (r.judge_again, r.pk) > ($2::bigint, $3::bigint)';
    const values = [now, this.due.day, this.due.record];
    const { records, isLast } = await readNextRecords(this.database, {
      where,
      orderBy: 'judge_again, pk',
      values,
    });
    const rebuilt = await rebuildTargets(records, () => findingsOnly, { now, milliseconds });
    if (rebuilt.targets.size > 0) {
      await this.writes.addSeparately(async (context) => {
        await this.coverage.guard(context.session);
        await writeRebuilt(context, rebuilt, now);
      });
    }
    this.due = isLast ? firstDue : (records.at(-1) ?? firstDue);
    if (isLast) await this.markValidated(now);
    return !isLast;
  }

  /** Once a day, because findings change by day. */
  private async markValidated(now: number): Promise<void> {
    const { validatedAtMs } = await this.readStatus(cacheMs.covered);
    if (dayNumber(validatedAtMs) < dayNumber(now)) await this.coverage.markValidated(now);
  }
}
