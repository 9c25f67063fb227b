import * as v from 'valibot';
import type { RemoteJob } from '../../core/app/remote-quality.ts';
import { remoteJobStates } from '../../core/app/remote-quality.ts';
import { resourceTypes } from '../../core/fhir/resource.ts';
import { parseAs, type Shape } from '../../core/json/shape.ts';

/** How the records of a type are listed, each tried where the server refuses the one before it. */
export const ways = ['sorted', 'plain', 'history'] as const;

const Walk = v.object({
  way: v.picklist(ways),
  /** The last instant that was wholly seen, as the server writes it; empty at the beginning. */
  mark: v.string(),
  done: v.boolean(),
  total: v.exactOptional(v.number()),
  /** Why the server lists none, in its own words. */
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
  /** What checks of one's own asked, by their stamp; absent where there was none. */
  checks: v.exactOptional(v.string()),
  walks: v.object(v.entriesFromList(resourceTypes, Walk)),
});
export type JobState = Shape<typeof JobState>;

const fresh: Walk = { way: 'sorted', mark: '', done: false };

function walksOf(make: (type: (typeof resourceTypes)[number]) => Walk): JobState['walks'] {
  return Object.fromEntries(resourceTypes.map((type) => [type, make(type)])) as JobState['walks'];
}

const noJob: JobState = { state: 'none', run: 0, read: 0, walks: walksOf(() => fresh) };

/** What was kept; nothing where that is of another form. */
export function readJob(text: string | undefined): JobState {
  return (text === undefined ? undefined : parseAs(JobState, text)) ?? noJob;
}

/** The state at the beginning of a run: from the start, from where the last one ended, or where it was left. */
export function begun(former: JobState, from: 'start' | undefined, since: string, asked = ''): JobState {
  const { state, run, walks } = former;
  const checks = asked === '' ? {} : { checks: asked };
  // What checks of one's own ask now was not asked of what was read before.
  if (from === 'start' || state === 'none' || (former.checks ?? '') !== asked) {
    return { ...noJob, state: 'running', run: run + 1, since, ...checks };
  }
  if (state !== 'done') return running(former);
  const again = walksOf((type) => ({ way: walks[type].way, mark: walks[type].mark, done: false }));
  return { state: 'running', run, read: 0, since, walks: again, ...checks };
}

/** The same without what it waited for. */
export function running({ run, read, since, walks, checks }: JobState): JobState {
  const kept = { ...(since !== undefined && { since }), ...(checks !== undefined && { checks }) };
  return { state: 'running', run, read, walks, ...kept };
}

/** As the page gets it. */
export function toRemoteJob({ walks, run: _, checks: _checks, ...job }: JobState): RemoteJob {
  const all = Object.values(walks);
  const totals = all.flatMap(({ total, refused }) => (refused === undefined ? (total ?? NaN) : []));
  const total = totals.reduce((sum, one) => sum + one, 0);
  return {
    ...job,
    ...(!Number.isNaN(total) && { total }),
    remarks: all.flatMap(({ refused }) => refused ?? []),
  };
}
