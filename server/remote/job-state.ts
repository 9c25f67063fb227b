import * as v from 'valibot';
import type { RemoteJob } from '../../core/app/remote-quality.ts';
import { remoteJobStates } from '../../core/app/remote-quality.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { parseAs, type Shape } from '../../core/json/shape.ts';

/** Ways to list the records of a type. Each is tried if the server rejects the previous one. */
export const ways = ['sorted', 'plain', 'history'] as const;

const Walk = v.object({
  way: v.picklist(ways),
  /** Last completely read instant in the server's notation; empty at the start. */
  mark: v.string(),
  done: v.boolean(),
  total: v.exactOptional(v.number()),
  /** The server's reason for rejecting all lists. */
  refused: v.exactOptional(v.string()),
});
export type Walk = Shape<typeof Walk>;

const JobState = v.object({
  state: v.picklist(remoteJobStates),
  /** How often it was read from the start. */
  run: v.number(),
  read: v.number(),
  since: v.exactOptional(v.string()),
  until: v.exactOptional(v.string()),
  fault: v.exactOptional(v.string()),
  /** Fingerprint of the custom checks that ran; absent without any. */
  checks: v.exactOptional(v.string()),
  walks: v.object(v.entriesFromList(resourceTypes, Walk)),
});
export type JobState = Shape<typeof JobState>;

const fresh: Walk = { way: 'sorted', mark: '', done: false };

function walksOf(make: (type: (typeof resourceTypes)[number]) => Walk): JobState['walks'] {
  return Object.fromEntries(resourceTypes.map((type) => [type, make(type)])) as JobState['walks'];
}

const noJob: JobState = { state: 'none', run: 0, read: 0, walks: walksOf(() => fresh) };

/** Parses a stored job; empty state for another format. */
export function readJob(text: string | undefined): JobState {
  return (text === undefined ? undefined : parseAs(JobState, text)) ?? noJob;
}

/** Returns the state at the start of a run: from the beginning, after the last run, or where it stopped. */
export function startJob(
  previousJob: JobState,
  from: 'start' | undefined,
  since: string,
  checksFingerprint = '',
): JobState {
  const { state, run, walks } = previousJob;
  const checks = checksFingerprint === '' ? {} : { checks: checksFingerprint };
  // Records read earlier were not checked with the current custom checks.
  if (from === 'start' || state === 'none' || (previousJob.checks ?? '') !== checksFingerprint) {
    return { ...noJob, state: 'running', run: run + 1, since, ...checks };
  }
  if (state !== 'done') return running(previousJob);
  const restartedWalks = walksOf((type) => ({ way: walks[type].way, mark: walks[type].mark, done: false }));
  return { state: 'running', run, read: 0, since, walks: restartedWalks, ...checks };
}

/** Returns the state without the reason of its pause. */
export function running({ run, read: readCount, since, walks, checks }: JobState): JobState {
  const optionalMembers = { ...(since !== undefined && { since }), ...(checks !== undefined && { checks }) };
  return { state: 'running', run, read: readCount, walks, ...optionalMembers };
}

/** As the page gets it. */
export function toRemoteJob({ walks, run: _, checks: _checks, ...job }: JobState): RemoteJob {
  const walkStates = Object.values(walks);
  const totals = walkStates.flatMap(({ total, refused: rejection }) =>
    rejection === undefined ? (total ?? NaN) : [],
  );
  const total = totals.reduce((sum, walkTotal) => sum + walkTotal, 0);
  return {
    ...job,
    ...(!Number.isNaN(total) && { total }),
    remarks: walkStates.flatMap(({ refused: rejection }) => rejection ?? []),
  };
}
