/**
 * Derives rows from the texts of records and writes them: for a rebuild, for records whose day has come, and
 * for a move.
 */
import { setImmediate } from 'node:timers/promises';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { listRetainedIssues } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { rederive, type TypeScope } from '../../store/index-tables.ts';
import type { Slice } from '../../store/derived.ts';
import type { ReadRecord } from './next-records.ts';
import { reconcileRecords, type Target } from './record-reconciler.ts';
import type { RowWriteContext } from './writes.ts';

/** Expected rows, by type in the order of type names. */
interface RebuildTargets {
  readonly targets: ReadonlyMap<ResourceType, { readonly scope: TypeScope; readonly targets: Target[] }>;
  /** Records whose text could not be read. */
  readonly skippedCount: number;
}

/** Derives the rows of records within the scope of their type. Pauses for other work. */
export async function rebuildTargets(
  records: readonly ReadRecord[],
  scopeOf: (type: ResourceType) => TypeScope | undefined,
  { now, milliseconds }: Slice,
): Promise<RebuildTargets> {
  const targets = new Map<ResourceType, { readonly scope: TypeScope; readonly targets: Target[] }>();
  let skippedCount = 0;
  let sliceStart = performance.now();
  for (const { record, type, current, root } of records.toSorted(byType)) {
    const scope = scopeOf(type);
    if (!scope) continue;
    if (!root) {
      skippedCount += 1;
      continue;
    }
    const { revalidateAtMs = null, ...derivedRows } = rederive(type, root, {
      scope,
      existingIssues: [],
      now,
    });
    const expectedRows: Target['expect'] = (existingIssues) => ({
      ...derivedRows,
      issues: [...derivedRows.issues, ...listRetainedIssues(existingIssues)],
      ...(scope.issues && { revalidateAtMs }),
    });
    const typeTargets = targets.get(type) ?? { scope, targets: [] };
    typeTargets.targets.push({ record, current, expect: expectedRows });
    targets.set(type, typeTargets);
    if (performance.now() - sliceStart < milliseconds) continue;
    await setImmediate();
    sliceStart = performance.now();
  }
  return { targets, skippedCount };
}

/**
 * Makes the rows of the records match. Findings open and close on the day of `now`. Call it within a
 * transaction.
 */
export async function writeRebuilt(
  context: RowWriteContext,
  { targets }: RebuildTargets,
  now: number,
): Promise<void> {
  for (const [type, { scope, targets: typeTargets }] of targets) {
    await reconcileRecords(context, { ...scope, type }, typeTargets, dayNumber(now));
  }
}

function byType({ type: leftType }: ReadRecord, { type: rightType }: ReadRecord): number {
  return Number(leftType > rightType) - Number(leftType < rightType);
}
