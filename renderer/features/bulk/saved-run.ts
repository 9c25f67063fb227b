import { narrow } from '../../../core/api/narrow.ts';
import type { Client } from '../../../core/api/client.ts';
import {
  bulkLimits,
  BulkPage,
  BulkRun,
  type BulkOperation,
  type PlacedTarget,
  type RunState,
} from '../../../core/app/bulk.ts';
import { progressOf, type Counts, type CompletedTarget, type Target } from './bulk-state.ts';

type App = Pick<Client, 'app'>;

/** Saves a new run with all of its records before the first write. */
export async function saveRun(
  { app }: App,
  label: string,
  operations: readonly BulkOperation[],
  targets: readonly Target[],
): Promise<BulkRun> {
  const run = narrow(await app('POST', '/bulk', { label: shorten(label), operations }), BulkRun);
  const results = targets.map((target, place) => ({ place, target }));
  await saveOutcomes({ app }, run.id, results);
  return run;
}

/** Saves the undo of a run. Its records are the records that the run wrote. */
export async function saveUndo({ app }: App, runId: string, label: string): Promise<BulkRun> {
  return narrow(await app('POST', '/bulk', { label: shorten(label), undoes: runId }), BulkRun);
}

/** Stores results of records. */
export async function saveOutcomes(
  { app }: App,
  run: string,
  results: readonly CompletedTarget[],
): Promise<void> {
  for (let offset = 0; offset < results.length; offset += bulkLimits.targetsAtOnce) {
    const batch = results.slice(offset, offset + bulkLimits.targetsAtOnce).map(toPlacedTarget);
    await app('POST', `/bulk/${run}/targets`, batch);
  }
}

export async function setRunState({ app }: App, run: string, state: RunState): Promise<void> {
  await app('PUT', `/bulk/${run}`, { state });
}

/** Logs the run in the activity log. */
export async function logRun(
  { app }: App,
  note: string,
  counts: Counts,
  connection: string | undefined,
): Promise<void> {
  const { doneCount, failedCount, skippedCount, remainingCount } = progressOf({ counts });
  await app('POST', '/activity', {
    kind: 'bulk',
    note: note.slice(0, 400),
    counts: { done: doneCount, failed: failedCount, skipped: skippedCount, remaining: remainingCount },
    ...(connection !== undefined && { connection }),
  });
}

/** Returns a saved run with all of its records. */
export async function readRun({ app }: App, id: string): Promise<{ run: BulkRun; targets: Target[] }> {
  const run = narrow(await app('GET', `/bulk/${id}`), BulkRun);
  const targets: Target[] = [];
  let after: number | undefined = -1;
  while (after !== undefined) {
    const page: BulkPage = narrow(await app('GET', targetsPath(id, after)), BulkPage);
    targets.push(...page.targets.map(({ place: _, ...target }) => target));
    after = page.next;
  }
  return { run, targets };
}

function targetsPath(id: string, after: number): string {
  return after < 0 ? `/bulk/${id}/targets` : `/bulk/${id}/targets?after=${after}`;
}

function toPlacedTarget({ place, target }: CompletedTarget): PlacedTarget {
  const { type, id, title, state, version, etag, detail, before } = target;
  return {
    place,
    type,
    id,
    state,
    title: shorten(title),
    ...(version !== undefined && { version }),
    ...(etag !== undefined && { etag }),
    ...(detail !== undefined && { detail: shorten(detail) }),
    ...(before && { before }),
  };
}

function shorten(text: string): string {
  return text.slice(0, bulkLimits.text);
}
