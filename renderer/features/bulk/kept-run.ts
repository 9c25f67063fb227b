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
import { progressOf, type Counts, type Settled, type Target } from './bulk-state.ts';

type App = Pick<Client, 'app'>;

/** Keeps a new run with all of its records, before the first is sent. */
export async function keepRun(
  { app }: App,
  label: string,
  operations: readonly BulkOperation[],
  targets: readonly Target[],
): Promise<BulkRun> {
  const run = narrow(await app('POST', '/bulk', { label: shorten(label), operations }), BulkRun);
  const settled = targets.map((target, place) => ({ place, target }));
  await keepOutcomes({ app }, run.id, settled);
  return run;
}

/** Keeps the undo of a run, with what that wrote as its records. */
export async function keepUndo({ app }: App, undone: string, label: string): Promise<BulkRun> {
  return narrow(await app('POST', '/bulk', { label: shorten(label), undoes: undone }), BulkRun);
}

/** Keeps what became of records. */
export async function keepOutcomes({ app }: App, run: string, settled: readonly Settled[]): Promise<void> {
  for (let first = 0; first < settled.length; first += bulkLimits.targetsAtOnce) {
    const part = settled.slice(first, first + bulkLimits.targetsAtOnce).map(keptOf);
    await app('POST', `/bulk/${run}/targets`, part);
  }
}

export async function turnRun({ app }: App, run: string, state: RunState): Promise<void> {
  await app('PUT', `/bulk/${run}`, { state });
}

/** The run's own entry in the activity log. */
export async function noteRun(
  { app }: App,
  note: string,
  counts: Counts,
  connection: string | undefined,
): Promise<void> {
  const { done, failed, skipped, remaining } = progressOf({ counts });
  await app('POST', '/activity', {
    kind: 'bulk',
    note: note.slice(0, 400),
    counts: { done, failed, skipped, remaining },
    ...(connection !== undefined && { connection }),
  });
}

/** A kept run with all of its records. */
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

function keptOf({ place, target }: Settled): PlacedTarget {
  const { type, id, title, state, version, etag, detail, before } = target;
  return {
    ...{ place, type, id, state },
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
