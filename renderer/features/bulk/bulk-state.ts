/**
 * features/bulk replaces elements in many records: operations, a dry run, the run, what became of each record.
 * The app shell mounts it over a search or a worklist group. Invariant: nothing is sent that a dry run did not show.
 */
import {
  targetStates,
  type BulkOperation,
  type BulkRun,
  type BulkTarget,
  type TargetState,
} from '../../../core/app/bulk.ts';
import type { Sending } from '../../../core/app/bulk-replace.ts';
import type { Change } from '../../../core/json/diff.ts';
import type { Failure } from '../../ui/failure.ts';

/** A record of the run, with what this page knows of it beside what is kept. */
export interface Target extends BulkTarget {
  readonly changes?: readonly Change[];
  readonly warnings?: readonly string[];
  /** The change of the version that was looked at; absent where it is to be looked at again before it is sent. */
  readonly body?: string;
  readonly method?: Sending['method'];
  /** The text of that version. */
  readonly base?: string;
}

/** What is kept of the run beside its records. */
export type KeptRun = Pick<BulkRun, 'label' | 'state' | 'undoes' | 'undo' | 'erased'>;

/**
 * `compose`: the operations are written. `gathering`: the records are listed. `examining`: the dry run. `examined`: it
 * is done. `running`: the records are written. `settling`: before an interrupted run is undone, what became of the records that
 * were under way. `finished`: none is left to be written.
 */
type BulkPhase = 'compose' | 'gathering' | 'examining' | 'examined' | 'running' | 'settling' | 'finished';

export type Counts = Readonly<Record<TargetState, number>>;

export interface BulkState {
  readonly phase: BulkPhase;
  /** The dry run or the run rests; what is under way still comes in. */
  readonly stopped: boolean;
  readonly operations: readonly BulkOperation[];
  readonly targets: readonly Target[];
  readonly counts: Counts;
  /** The kept run; there from the first record that is sent. */
  readonly run?: string;
  readonly kept?: KeptRun;
  /** Since when records are being sent, in milliseconds, and how many came back since. */
  readonly pace?: { readonly since: number; readonly until: number; readonly settled: number };
  readonly failure?: Failure;
}

export interface Settled {
  readonly place: number;
  readonly target: Target;
}

export type BulkAction =
  | { readonly type: 'gather'; readonly operations: readonly BulkOperation[] }
  | { readonly type: 'gathered'; readonly targets: readonly Target[] }
  | { readonly type: 'examine' }
  | { readonly type: 'settled'; readonly settled: readonly Settled[]; readonly now: number }
  | { readonly type: 'stop' }
  | { readonly type: 'resume'; readonly now: number }
  | { readonly type: 'back' }
  | { readonly type: 'run'; readonly run: BulkRun; readonly now: number }
  | { readonly type: 'retry'; readonly state: RetryState; readonly now: number }
  | { readonly type: 'restored'; readonly run: BulkRun; readonly targets: readonly Target[] }
  | { readonly type: 'settle' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** What can be tried again: what the server refused or did not answer, and what others changed meanwhile. */
const retryStates = ['changed', 'failed'] as const;
export type RetryState = (typeof retryStates)[number];

const noCounts = Object.fromEntries(targetStates.map((state) => [state, 0])) as Record<TargetState, number>;

export const initialBulk: BulkState = {
  phase: 'compose',
  stopped: false,
  operations: [],
  targets: [],
  counts: noCounts,
};

/** The next state of a bulk replace; pure. An action that the phase does not allow changes nothing. */
export function bulkReducer(state: BulkState, action: BulkAction): BulkState {
  switch (action.type) {
    case 'gather':
      if (state.phase !== 'compose') return state;
      return { ...initialBulk, phase: 'gathering', operations: action.operations };
    case 'gathered':
      if (state.phase !== 'gathering') return state;
      return withTargets(state, [...state.targets, ...action.targets]);
    case 'examine':
      return state.phase === 'gathering' ? ended({ ...state, phase: 'examining' }) : state;
    case 'settled':
      return settle(state, action);
    case 'stop':
      return stop(state);
    case 'resume':
      if (!state.stopped) return state;
      if (state.kept?.undo) return state;
      return { ...withoutFailure(state), stopped: false, ...paceFrom(state, action.now) };
    case 'back':
      if (state.phase !== 'examined' && !(state.phase === 'examining' && state.stopped)) return state;
      return { ...initialBulk, operations: state.operations };
    case 'run':
      // The dry run cannot be skipped: only what it found ready is ever sent.
      if (state.phase !== 'examined' || state.counts.ready === 0) return state;
      return {
        ...{ ...state, phase: 'running', run: action.run.id, kept: action.run },
        ...paceFrom({ phase: 'running' }, action.now),
      };
    case 'retry':
      return retry(state, action);
    case 'restored': {
      const { run, targets } = action;
      const { id, operations, ...kept } = run;
      return ended(
        withTargets({ ...initialBulk, phase: 'running', stopped: true, run: id, kept, operations }, targets),
      );
    }
    case 'settle':
      return isInterrupted(state) ? { ...withoutFailure(state), phase: 'settling', stopped: false } : state;
    case 'failed':
      return failed(state, action.failure);
  }
}

function settle(state: BulkState, { settled, now }: Extract<BulkAction, { type: 'settled' }>): BulkState {
  if (state.phase === 'compose' || state.phase === 'gathering') return state;
  const targets = [...state.targets];
  const counts: Record<TargetState, number> = { ...state.counts };
  for (const { place, target } of settled) {
    const before = targets[place];
    if (!before) continue;
    counts[before.state] -= 1;
    counts[target.state] += 1;
    targets[place] = target;
  }
  const { pace } = state;
  return ended({
    ...state,
    targets,
    counts,
    ...(pace && { pace: { ...pace, until: now, settled: pace.settled + settled.length } }),
  });
}

/** A dry run without waiting records, or a run without ready ones, is over. */
function ended(state: BulkState): BulkState {
  if (state.phase === 'examining' && state.counts.waiting === 0) {
    return { ...state, phase: 'examined', stopped: false };
  }
  if (state.phase === 'running' && state.counts.ready === 0) {
    return { ...state, phase: 'finished', stopped: false };
  }
  return state;
}

function stop(state: BulkState): BulkState {
  if (state.phase === 'gathering') return { ...initialBulk, operations: state.operations };
  if (state.phase === 'settling') return { ...state, phase: 'running', stopped: true };
  if (state.phase === 'examining' || state.phase === 'running') return { ...state, stopped: true };
  return state;
}

function retry(state: BulkState, { state: tried, now }: Extract<BulkAction, { type: 'retry' }>): BulkState {
  const wanted = (target: Target) => target.state === tried;
  if (!rests(state) || !state.targets.some(wanted)) return state;
  const targets = state.targets.map((target) => (wanted(target) ? readyAgain(target) : target));
  const next: BulkState = { ...withoutFailure(state), phase: 'running', stopped: false };
  return { ...withTargets(next, targets), ...paceFrom(next, now) };
}

function failed(state: BulkState, failure: Failure): BulkState {
  if (state.phase === 'gathering') return { ...initialBulk, operations: state.operations, failure };
  const { kept } = state;
  // What was under way may have been written, and its answer lost.
  return { ...stop(state), failure, ...(kept && { kept: { ...kept, state: 'running' } }) };
}

function withoutFailure({ failure: _, ...rest }: BulkState): BulkState {
  return rest;
}

function readyAgain({ detail: _, ...rest }: Target): Target {
  return { ...rest, state: 'ready' };
}

function paceFrom({ phase }: Pick<BulkState, 'phase'>, now: number): Pick<BulkState, 'pace'> {
  return phase === 'running' ? { pace: { since: now, until: now, settled: 0 } } : {};
}

function withTargets(state: BulkState, targets: readonly Target[]): BulkState {
  const counts: Record<TargetState, number> = { ...noCounts };
  for (const { state: one } of targets) counts[one] += 1;
  return { ...state, targets, counts };
}

/** What a run says of itself in four numbers that add up to all of its records. */
export function progressOf({ counts }: Pick<BulkState, 'counts'>) {
  return {
    done: counts.done,
    failed: counts.failed + counts.changed + counts.gone,
    skipped: counts.unchanged + counts.cannot + counts.refused + counts.unread,
    remaining: counts.ready + counts.waiting,
  };
}

/** Records a second since the run began or went on; undefined before the first came back. */
export function rateOf({ pace }: BulkState): number | undefined {
  if (!pace || pace.settled === 0 || pace.until <= pace.since) return undefined;
  return (pace.settled * 1000) / (pace.until - pace.since);
}

/** Whether a run is over, or rests: nothing is being sent. */
function rests({ phase, stopped }: BulkState): boolean {
  return phase === 'finished' || (phase === 'running' && stopped);
}

/** Whether a run that rests was cut short, so that what was under way is not known. */
export function isInterrupted(state: BulkState): boolean {
  return rests(state) && state.counts.ready > 0 && state.kept?.state === 'running';
}

/** Whether a run can be undone: once, and where it wrote something. */
export function canUndo(state: BulkState): boolean {
  if (!rests(state) || state.run === undefined || state.kept?.undo) return false;
  return state.counts.done > 0 || isInterrupted(state);
}

/** Which of what was not written can be tried again. What somebody changed since, an undo leaves alone. */
export function retriesOf(state: BulkState): readonly RetryState[] {
  if (!rests(state) || state.kept?.undo) return [];
  const tried = state.kept?.undoes === undefined ? retryStates : (['failed'] as const);
  return tried.filter((one) => state.counts[one] > 0);
}

/** Whether what comes next sends writes. */
export function sendsNext(state: BulkState): boolean {
  const { phase, stopped, kept } = state;
  if (phase === 'finished') return retriesOf(state).length > 0;
  return phase === 'examined' || (phase === 'running' && stopped && !kept?.undo);
}

/** Whether requests are being made, so that the sheet must not be closed. */
export function isBusy({ phase, stopped }: BulkState): boolean {
  return (
    phase === 'gathering' ||
    phase === 'settling' ||
    ((phase === 'examining' || phase === 'running') && !stopped)
  );
}
