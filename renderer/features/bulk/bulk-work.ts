import type { QueryClient } from '@tanstack/react-query';
import { isTokenRefused } from '../../../core/api/failure.ts';
import { sentOf } from '../../../core/app/bulk.ts';
import type { ExamineOptions } from '../../../core/app/bulk-replace.ts';
import { recordsKey } from '../../platform/app-queries.ts';
import type { Connection } from '../../platform/connection.ts';
import { seated } from '../../platform/people.ts';
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
  type Settled,
} from './bulk-state.ts';
import { wordsOf } from './bulk-words.ts';
import { compute } from './compute.ts';
import { keepOutcomes, keepUndo, noteRun, readRun, turnRun } from './kept-run.ts';
import { examineTarget, replacing } from './replace-target.ts';
import { eachTarget, RunHalted } from './run-loop.ts';
import type { RunWork, Work } from './target-work.ts';
import { undoing } from './undo-target.ts';

/** What one sheet has come to, and what is under way in it: it goes on between two draws. */
export class Course {
  state: BulkState = initialBulk;
  /** What the run is called. */
  label = '';
  /** Outcomes that the server did not keep yet. */
  unkept: readonly Settled[] = [];
  /** Why, as the header of each write says it. */
  provenance: string | undefined;
  private readonly show: (state: BulkState) => void;
  /** Those of the tasks that have not ended. */
  private readonly controls = new Set<AbortController>();
  /** The loop under way: a new one starts when what it sent has come back. */
  private working = Promise.resolve();

  constructor(show: (state: BulkState) => void) {
    this.show = show;
  }

  apply(action: BulkAction): void {
    this.state = bulkReducer(this.state, action);
    this.show(this.state);
  }

  fail(error: unknown): void {
    const cause = error instanceof RunHalted ? error.cause : error;
    if (isTokenRefused(cause)) session.requireToken();
    this.apply({ type: 'failed', failure: toFailure(cause) });
    this.abort();
  }

  /** Does `task` behind what is under way; stopping, or a fault before it, aborts its signal or has it not begin. */
  begin(task: (signal: AbortSignal) => Promise<void>): void {
    const own = new AbortController();
    this.controls.add(own);
    this.working = this.working
      .then(() => (own.signal.aborted ? undefined : task(own.signal)))
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.controls.delete(own));
  }

  /** Why the records are changed from now on. */
  explain(provenance: string | undefined): void {
    this.provenance = provenance;
  }

  abort(): void {
    for (const one of this.controls) one.abort();
  }
}

/** A sheet's course, what its records are asked and written with, and where its outcome is told. */
export interface BulkWork extends Pick<Connection, 'client' | 'name'>, Pick<ExamineOptions, 'level'> {
  readonly course: Course;
  readonly announce: (message: string) => void;
  readonly queries: QueryClient;
  readonly remote: Connection['remote'];
}

/** Tries the operations on the records that wait. */
export function examineAll(work: BulkWork, signal: AbortSignal): Promise<void> {
  return loop(work, 'waiting', examineTarget, () => undefined, signal);
}

/** Sends what is ready, and says how it ended. */
export async function sendAll(work: BulkWork, run: string, signal: AbortSignal): Promise<void> {
  const { client, course } = work;
  await seated();
  await turnRun(client, run, 'running');
  try {
    await loop(work, 'ready', wayOf(course).send, (settled) => keep(work, run, settled), signal);
  } catch (error) {
    course.fail(error);
  }
  await rest(work, run);
}

/** Keeps the undo of the run that rests, and begins it. */
export async function undoAll(work: BulkWork, run: string, signal: AbortSignal): Promise<void> {
  const { client, course } = work;
  if (isInterrupted(course.state)) {
    course.apply({ type: 'settle' });
    await loop(work, 'ready', wayOf(course).settle, (settled) => keep(work, run, settled), signal);
    if (signal.aborted) return;
  }
  await turnRun(client, run, course.state.counts.ready > 0 ? 'stopped' : 'finished');
  const { id } = await keepUndo(client, run, text.bulk.undo.label(course.label));
  await take(work, id);
  course.apply({ type: 'resume', now: Date.now() });
  await sendAll(work, id, signal);
}

/** Takes up a kept run where it was left. */
export async function take({ client, course }: BulkWork, id: string): Promise<void> {
  const { run, targets } = await readRun(client, id);
  course.label = run.label;
  course.unkept = [];
  course.apply({ type: 'restored', run, targets });
}

function wayOf({ state }: Course): RunWork {
  return state.kept?.undoes === undefined ? replacing : undoing;
}

/** The loop over the records that are in a state, with the options of this moment. */
async function loop(
  { course, announce, client, level, remote }: BulkWork,
  from: 'waiting' | 'ready',
  work: Work,
  report: (settled: readonly Settled[]) => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  const { targets, operations, run, kept } = course.state;
  const options = {
    ...{ client, operations, judge: { level, today: localDay(), zoneOf, compute } },
    confirmed: consentOf(remote).confirmed,
    provenance: course.provenance,
  };
  const stepAt = (place: number) =>
    run !== undefined && kept?.undoes !== undefined && !remote
      ? { putBack: () => client.putBack(run, place, options) }
      : {};
  const places = targets.flatMap((target, place) => (target.state === from ? [place] : []));
  await eachTarget(places, (place) => course.state.targets[place], {
    work: (target, place) => work(target, { ...options, ...stepAt(place) }),
    report: (settled) => {
      course.apply({ type: 'settled', settled, now: Date.now() });
      return report(settled);
    },
    signal,
    waits: (seconds) => announce(text.bulk.waits(seconds)),
  });
}

/** Keeps outcomes, those too that could not be kept when they came in. */
async function keep({ client, course }: BulkWork, run: string, settled: readonly Settled[]): Promise<void> {
  const all = [...course.unkept, ...settled];
  course.unkept = all;
  await keepOutcomes(client, run, all);
  course.unkept = course.unkept.filter((one) => !all.includes(one));
}

/** The run ended or stopped: what the server, the log, the status bar and the views are told. */
async function rest(
  { course, announce, client, name, queries, remote }: BulkWork,
  run: string,
): Promise<void> {
  const { phase, counts, kept } = course.state;
  const { sent, of } = sentOf(counts);
  const said = wordsOf(course.state);
  for (const key of [recordsKey, 'search', 'overview', 'quality', 'history', 'bulk', 'activity']) {
    void queries.invalidateQueries({ queryKey: [key] });
  }
  announce(phase === 'finished' ? said.finished(counts.done) : text.bulk.stoppedAt(sent, of, of - sent));
  // Of a run that was cut short it stays known that it was.
  if (kept?.state !== 'running' || phase === 'finished') {
    await turnRun(client, run, phase === 'finished' ? 'finished' : 'stopped');
  }
  await noteRun(client, said.note(course.label), counts, remote && name);
  void queries.invalidateQueries({ queryKey: ['bulk'] });
}
