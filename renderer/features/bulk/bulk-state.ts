/**
 * State of a bulk replace: operations, dry run, run and the result of each record. The app shell mounts it over a
 * search or worklist group. Invariant: only changes that a dry run showed are sent.
 */
import {
  targetStates,
  type BulkOperation,
  type BulkRun,
  type BulkTarget,
  type TargetState,
} from '../../../core/app/bulk.ts';
import type { RequestContent } from '../../../core/app/bulk-replace.ts';
import type { ElementChange } from '../../../core/json/diff.ts';
import type { Failure } from '../../ui/failure.ts';

/** A record of the run, with details that the server does not store. */
export interface Target extends BulkTarget {
  readonly changes?: readonly ElementChange[];
  readonly warnings?: readonly string[];
  /** Change of the examined version. Undefined if the record must be examined before sending. */
  readonly body?: string;
  readonly method?: RequestContent['method'];
  /** Text of the examined version. */
  readonly base?: string;
}

/** Stored members of the run, without its records. */
export type SavedRun = Pick<BulkRun, 'label' | 'state' | 'undoes' | 'undo' | 'erased'>;

/**
 * `compose`: editing the operations. `gathering`: listing the records. `examining`: dry run. `examined`: the dry run
 * is complete. `running`: writing the records. `settling`: before the undo of an interrupted run, finding out which
 * pending writes arrived. `finished`: no record is left to write.
 */
type BulkPhase = 'compose' | 'gathering' | 'examining' | 'examined' | 'running' | 'settling' | 'finished';

export type Counts = Readonly<Record<TargetState, number>>;

export interface BulkState {
  readonly phase: BulkPhase;
  /** The dry run or run is paused. Pending requests still complete. */
  readonly isStopped: boolean;
  readonly operations: readonly BulkOperation[];
  readonly targets: readonly Target[];
  readonly counts: Counts;
  /** ID of the saved run, set before the first record is sent. */
  readonly run?: string;
  readonly storedRun?: SavedRun;
  /** Start of sending and latest result in epoch milliseconds, with the number of results since the start. */
  readonly pace?: { readonly since: number; readonly until: number; readonly completedCount: number };
  readonly failure?: Failure;
}

export interface CompletedTarget {
  readonly place: number;
  readonly target: Target;
}

export type BulkAction =
  | { readonly type: 'gather'; readonly operations: readonly BulkOperation[] }
  | { readonly type: 'gathered'; readonly targets: readonly Target[] }
  | { readonly type: 'examine' }
  | { readonly type: 'settled'; readonly completedTargets: readonly CompletedTarget[]; readonly now: number }
  | { readonly type: 'stop' }
  | { readonly type: 'resume'; readonly now: number }
  | { readonly type: 'back' }
  | { readonly type: 'run'; readonly run: BulkRun; readonly now: number }
  | { readonly type: 'retry'; readonly state: RetryState; readonly now: number }
  | { readonly type: 'restored'; readonly run: BulkRun; readonly targets: readonly Target[] }
  | { readonly type: 'settle' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** States that a retry covers: rejected or unanswered writes, and records that others changed. */
const retryStates = ['changed', 'failed'] as const;
export type RetryState = (typeof retryStates)[number];

const noCounts = Object.fromEntries(targetStates.map((state) => [state, 0])) as Record<TargetState, number>;

export const initialBulk: BulkState = {
  phase: 'compose',
  isStopped: false,
  operations: [],
  targets: [],
  counts: noCounts,
};

/** Returns the next state of a bulk replace. Ignores actions that the phase does not allow. */
export function bulkReducer(state: BulkState, action: BulkAction): BulkState {
  switch (action.type) {
    case 'gather':
      if (state.phase !== 'compose') return state;
      return { ...initialBulk, phase: 'gathering', operations: action.operations };
    case 'gathered':
      if (state.phase !== 'gathering') return state;
      return withTargets(state, [...state.targets, ...action.targets]);
    case 'examine':
      return state.phase === 'gathering' ? finishPhase({ ...state, phase: 'examining' }) : state;
    case 'settled':
      return settle(state, action);
    case 'stop':
      return stop(state);
    case 'resume':
      if (!state.isStopped) return state;
      if (state.storedRun?.undo) return state;
      return { ...withoutFailure(state), isStopped: false, ...paceFrom(state, action.now) };
    case 'back':
      if (state.phase !== 'examined' && !(state.phase === 'examining' && state.isStopped)) return state;
      return { ...initialBulk, operations: state.operations };
    case 'run':
      // Only records that the dry run found ready are ever sent.
      if (state.phase !== 'examined' || state.counts.ready === 0) return state;
      return {
        ...state,
        phase: 'running',
        run: action.run.id,
        storedRun: action.run,
        ...paceFrom({ phase: 'running' }, action.now),
      };
    case 'retry':
      return retry(state, action);
    case 'restored': {
      const { run, targets } = action;
      const { id, operations, ...storedRun } = run;
      return finishPhase(
        withTargets(
          { ...initialBulk, phase: 'running', isStopped: true, run: id, storedRun, operations },
          targets,
        ),
      );
    }
    case 'settle':
      return isInterrupted(state) ? { ...withoutFailure(state), phase: 'settling', isStopped: false } : state;
    case 'failed':
      return applyFailure(state, action.failure);
  }
}

function settle(
  state: BulkState,
  { completedTargets, now }: Extract<BulkAction, { type: 'settled' }>,
): BulkState {
  if (state.phase === 'compose' || state.phase === 'gathering') return state;
  const targets = [...state.targets];
  const counts: Record<TargetState, number> = { ...state.counts };
  for (const { place, target } of completedTargets) {
    const previous = targets[place];
    if (!previous) continue;
    counts[previous.state] -= 1;
    counts[target.state] += 1;
    targets[place] = target;
  }
  const { pace } = state;
  return finishPhase({
    ...state,
    targets,
    counts,
    ...(pace && {
      pace: { ...pace, until: now, completedCount: pace.completedCount + completedTargets.length },
    }),
  });
}

/** Ends a dry run without waiting records, or a run without ready records. */
function finishPhase(state: BulkState): BulkState {
  if (state.phase === 'examining' && state.counts.waiting === 0) {
    return { ...state, phase: 'examined', isStopped: false };
  }
  if (state.phase === 'running' && state.counts.ready === 0) {
    return { ...state, phase: 'finished', isStopped: false };
  }
  return state;
}

function stop(state: BulkState): BulkState {
  if (state.phase === 'gathering') return { ...initialBulk, operations: state.operations };
  if (state.phase === 'settling') return { ...state, phase: 'running', isStopped: true };
  if (state.phase === 'examining' || state.phase === 'running') return { ...state, isStopped: true };
  return state;
}

function retry(
  state: BulkState,
  { state: retryState, now }: Extract<BulkAction, { type: 'retry' }>,
): BulkState {
  const isRetried = (target: Target) => target.state === retryState;
  if (!isAtRest(state) || !state.targets.some(isRetried)) return state;
  const targets = state.targets.map((target) => (isRetried(target) ? markReady(target) : target));
  const next: BulkState = { ...withoutFailure(state), phase: 'running', isStopped: false };
  return { ...withTargets(next, targets), ...paceFrom(next, now) };
}

function applyFailure(state: BulkState, failure: Failure): BulkState {
  if (state.phase === 'gathering') return { ...initialBulk, operations: state.operations, failure };
  const { storedRun } = state;
  // Pending records may have been written although the response was lost.
  return { ...stop(state), failure, ...(storedRun && { storedRun: { ...storedRun, state: 'running' } }) };
}

function withoutFailure({ failure: _, ...remainingState }: BulkState): BulkState {
  return remainingState;
}

function markReady({ detail: _, ...remainingTarget }: Target): Target {
  return { ...remainingTarget, state: 'ready' };
}

function paceFrom({ phase }: Pick<BulkState, 'phase'>, now: number): Pick<BulkState, 'pace'> {
  return phase === 'running' ? { pace: { since: now, until: now, completedCount: 0 } } : {};
}

function withTargets(state: BulkState, targets: readonly Target[]): BulkState {
  const counts: Record<TargetState, number> = { ...noCounts };
  for (const { state: targetState } of targets) counts[targetState] += 1;
  return { ...state, targets, counts };
}

/** Returns four counts that add up to all records of the run. */
export function progressOf({ counts }: Pick<BulkState, 'counts'>) {
  return {
    doneCount: counts.done,
    failedCount: counts.failed + counts.changed + counts.gone,
    skippedCount: counts.unchanged + counts.cannot + counts.refused + counts.unread,
    remainingCount: counts.ready + counts.waiting,
  };
}

/** Returns records per second since the run started or resumed; undefined before the first result. */
export function rateOf({ pace }: BulkState): number | undefined {
  if (!pace || pace.completedCount === 0 || pace.until <= pace.since) return undefined;
  return (pace.completedCount * 1000) / (pace.until - pace.since);
}

/** Returns true if the run is finished or stopped. */
function isAtRest({ phase, isStopped }: BulkState): boolean {
  return phase === 'finished' || (phase === 'running' && isStopped);
}

/** Returns true if a stopped run was interrupted. The results of its pending writes are unknown. */
export function isInterrupted(state: BulkState): boolean {
  return isAtRest(state) && state.counts.ready > 0 && state.storedRun?.state === 'running';
}

/** Returns true if the run wrote something and has no undo yet. */
export function canUndo(state: BulkState): boolean {
  if (!isAtRest(state) || state.run === undefined || state.storedRun?.undo) return false;
  return state.counts.done > 0 || isInterrupted(state);
}

/** Returns the states that can be retried. An undo never retries records that somebody changed. */
export function retriesOf(state: BulkState): readonly RetryState[] {
  if (!isAtRest(state) || state.storedRun?.undo) return [];
  const states = state.storedRun?.undoes === undefined ? retryStates : (['failed'] as const);
  return states.filter((retryState) => state.counts[retryState] > 0);
}

/** Returns true if the next action sends writes. */
export function sendsNext(state: BulkState): boolean {
  const { phase, isStopped, storedRun } = state;
  if (phase === 'finished') return retriesOf(state).length > 0;
  return phase === 'examined' || (phase === 'running' && isStopped && !storedRun?.undo);
}

/** Returns true while requests are pending; the sheet must stay open. */
export function isBusy({ phase, isStopped }: BulkState): boolean {
  return (
    phase === 'gathering' ||
    phase === 'settling' ||
    ((phase === 'examining' || phase === 'running') && !isStopped)
  );
}
