/** What the texts of records give, and how it comes to stand: of a rebuild, of records whose day has come, and of a move. */
import { setImmediate } from 'node:timers/promises';
import { dayNumber } from '../../../core/app/days.ts';
import { carried } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { derivedAnew, type TypeScope } from '../derive-scope.ts';
import type { Slice } from '../derived.ts';
import type { ReadRecord } from './next-records.ts';
import { mendRecords, type Target } from './record-mender.ts';
import type { Mending } from './writes.ts';

/** What records are to have now, by type in the order of their names. */
interface Made {
  readonly targets: ReadonlyMap<ResourceType, { readonly scope: TypeScope; readonly all: Target[] }>;
  /** Records whose text cannot be read. */
  readonly skipped: number;
}

/** Derives what records give, as far as the scope of their type reaches; others have their turn between. */
export async function madeAnew(
  records: readonly ReadRecord[],
  scopeOf: (type: ResourceType) => TypeScope | undefined,
  { now, milliseconds }: Slice,
): Promise<Made> {
  const targets = new Map<ResourceType, { readonly scope: TypeScope; readonly all: Target[] }>();
  let skipped = 0;
  let from = performance.now();
  for (const { record, type, current, root } of records.toSorted(byType)) {
    const scope = scopeOf(type);
    if (!scope) continue;
    if (!root) {
      skipped += 1;
      continue;
    }
    const { judgeAgain = null, ...own } = derivedAnew(type, root, { scope, standing: [], now });
    const wanted: Target['wanted'] = (standing) => ({
      ...{ ...own, issues: [...own.issues, ...carried(standing)] },
      ...(scope.issues && { judgeAgain }),
    });
    const of = targets.get(type) ?? { scope, all: [] };
    of.all.push({ record, current, wanted });
    targets.set(type, of);
    if (performance.now() - from < milliseconds) continue;
    await setImmediate();
    from = performance.now();
  }
  return { targets, skipped };
}

/** Turns the rows of the records into those; findings begin and end on the day. Belongs into a transaction of the caller's. */
export async function writeMade(mending: Mending, { targets }: Made, now: number): Promise<void> {
  for (const [type, { scope, all }] of targets) {
    await mendRecords(mending, { ...scope, type }, all, dayNumber(now));
  }
}

function byType({ type: one }: ReadRecord, { type: other }: ReadRecord): number {
  return Number(one > other) - Number(one < other);
}
