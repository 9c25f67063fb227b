import type { QueryClient } from '@tanstack/react-query';
import { isTokenRejected } from '../../../core/api/failure.ts';
import { countSent } from '../../../core/app/bulk.ts';
import type { ExamineOptions } from '../../../core/app/bulk-replace.ts';
import { recordsKey } from '../../platform/app-queries.ts';
import type { Connection } from '../../platform/connection.ts';
import { waitForCurrentPerson } from '../../platform/people.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { zoneOf } from '../../platform/zone.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { localDay } from '../../ui/time.ts';
import {
  bulkReducer,
  initialBulk,
  isInterrupted,
  type BulkAction,
  type BulkState,
  type CompletedTarget,
} from './bulk-state.ts';
import { describeRow } from './bulk-messages.ts';
import { compute } from './compute.ts';
import { saveOutcomes, saveUndo, logRun, readRun, setRunState } from './saved-run.ts';
import { examineTarget, replacing } from './replace-target.ts';
import { eachTarget, RunAbortedError } from './run-loop.ts';
import type { RunWork, TargetWork } from './target-work.ts';
import { undoing } from './undo-target.ts';

/** State and pending tasks of one sheet. Outlives single renders. */
export class RunContext {
  state: BulkState = initialBulk;
  label = '';
  /** Results that the server has not stored yet. */
  unsavedResults: readonly CompletedTarget[] = [];
  /** Provenance header with the reason, sent with each write. */
  provenance: string | undefined;
  private readonly show: (state: BulkState) => void;
  /** Controllers of unfinished tasks. */
  private readonly controls = new Set<AbortController>();
  /** Latest task. A new loop starts after the results of the previous loop. */
  private lastTask = Promise.resolve();

  constructor(show: (state: BulkState) => void) {
    this.show = show;
  }

  apply(action: BulkAction): void {
    this.state = bulkReducer(this.state, action);
    this.show(this.state);
  }

  failRun(error: unknown): void {
    const cause = error instanceof RunAbortedError ? error.cause : error;
    if (isTokenRejected(cause)) session.requireToken();
    this.apply({ type: 'failed', failure: toFailure(cause) });
    this.abort();
  }

  /** Queues a task. Stopping or an earlier error aborts its signal, or skips it. */
  enqueueTask(task: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController();
    this.controls.add(controller);
    this.lastTask = this.lastTask
      .then(() => (controller.signal.aborted ? undefined : task(controller.signal)))
      .catch((error: unknown) => this.failRun(error))
      .finally(() => this.controls.delete(controller));
  }

  /** Sets the reason of later writes. */
  setProvenance(provenance: string | undefined): void {
    this.provenance = provenance;
  }

  abort(): void {
    for (const controller of this.controls) controller.abort();
  }
}

/** Dependencies of the work of one sheet. */
export interface BulkWork extends Pick<Connection, 'client' | 'name'>, Pick<ExamineOptions, 'level'> {
  readonly context: RunContext;
  readonly announce: (message: string) => void;
  readonly queries: QueryClient;
  readonly remote: Connection['remote'];
}

/** Tries the operations on all waiting records. */
export function examineAll(work: BulkWork, signal: AbortSignal): Promise<void> {
  return loop(work, 'waiting', examineTarget, () => undefined, signal);
}

/** Sends all ready records and reports the end of the run. */
export async function sendAll(work: BulkWork, run: string, signal: AbortSignal): Promise<void> {
  const { client, context } = work;
  await waitForCurrentPerson();
  await setRunState(client, run, 'running');
  try {
    await loop(
      work,
      'ready',
      pickRunWork(context).writeTarget,
      (completedTargets) => storeResults(work, run, completedTargets),
      signal,
    );
  } catch (error) {
    context.failRun(error);
  }
  await finishRun(work, run);
}

/** Saves the undo of the stopped run and starts it. */
export async function undoAll(work: BulkWork, run: string, signal: AbortSignal): Promise<void> {
  const { client, context } = work;
  if (isInterrupted(context.state)) {
    context.apply({ type: 'settle' });
    await loop(
      work,
      'ready',
      pickRunWork(context).resolveInterrupted,
      (completedTargets) => storeResults(work, run, completedTargets),
      signal,
    );
    if (signal.aborted) return;
  }
  await setRunState(client, run, context.state.counts.ready > 0 ? 'stopped' : 'finished');
  const { id } = await saveUndo(client, run, text.bulk.undo.label(context.label));
  await restoreRun(work, id);
  context.apply({ type: 'resume', now: Date.now() });
  await sendAll(work, id, signal);
}

/** Restores a saved run. */
export async function restoreRun({ client, context }: BulkWork, id: string): Promise<void> {
  const { run, targets } = await readRun(client, id);
  context.label = run.label;
  context.unsavedResults = [];
  context.apply({ type: 'restored', run, targets });
}

function pickRunWork({ state }: RunContext): RunWork {
  return state.storedRun?.undoes === undefined ? replacing : undoing;
}

/** Works through the records in one state, with the current options. */
async function loop(
  { context, announce, client, level, remote }: BulkWork,
  from: 'waiting' | 'ready',
  work: TargetWork,
  report: (completedTargets: readonly CompletedTarget[]) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const { targets, operations, run, storedRun } = context.state;
  const options = {
    client,
    operations,
    examineOptions: { level, today: localDay(), zoneOf, compute },
    confirmed: consentOf(remote).confirmed,
    provenance: context.provenance,
  };
  const createRevertOption = (place: number) =>
    run !== undefined && storedRun?.undoes !== undefined && !remote
      ? { revert: () => client.revert(run, place, options) }
      : {};
  const places = targets.flatMap((target, place) => (target.state === from ? [place] : []));
  await eachTarget(places, (place) => context.state.targets[place], {
    work: (target, place) => work(target, { ...options, ...createRevertOption(place) }),
    report: (completedTargets) => {
      context.apply({ type: 'settled', completedTargets, now: Date.now() });
      return report(completedTargets);
    },
    signal,
    waits: (seconds) => announce(text.bulk.waits(seconds)),
  });
}

/** Stores results, including results that could not be stored before. */
async function storeResults(
  { client, context }: BulkWork,
  run: string,
  completedTargets: readonly CompletedTarget[],
): Promise<void> {
  const unsavedResults = [...context.unsavedResults, ...completedTargets];
  context.unsavedResults = unsavedResults;
  await saveOutcomes(client, run, unsavedResults);
  context.unsavedResults = context.unsavedResults.filter((completed) => !unsavedResults.includes(completed));
}

/** Reports the end or stop of a run to the server, the log, the status bar and the views. */
async function finishRun(
  { context, announce, client, name, queries, remote }: BulkWork,
  run: string,
): Promise<void> {
  const { phase, counts, storedRun } = context.state;
  const { sent: sentCount, of: sendCount } = countSent(counts);
  const messages = describeRow(context.state);
  for (const key of [recordsKey, 'search', 'overview', 'quality', 'history', 'bulk', 'activity']) {
    void queries.invalidateQueries({ queryKey: [key] });
  }
  announce(
    phase === 'finished'
      ? messages.finished(counts.done)
      : text.bulk.stoppedAt(sentCount, sendCount, sendCount - sentCount),
  );
  // An interrupted run stays marked as interrupted.
  if (storedRun?.state !== 'running' || phase === 'finished') {
    await setRunState(client, run, phase === 'finished' ? 'finished' : 'stopped');
  }
  await logRun(client, messages.note(context.label), counts, remote && name);
  void queries.invalidateQueries({ queryKey: ['bulk'] });
}
