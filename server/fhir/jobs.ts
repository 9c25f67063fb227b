import { drafts } from './drafts.ts';
import { judgedPages } from './judged-page.ts';
import { texts } from './texts.ts';
import { claimedProfiles, validateParameters } from './validate-parameters.ts';

/** All that is done with texts alone: its arguments and results cross to a thread and back. */
const jobs = { ...texts, ...drafts, ...judgedPages, claimedProfiles, validateParameters };

type Jobs = typeof jobs;
export type JobName = keyof Jobs;

/** A result that is there at once, or comes from a thread. */
export type Later<Result> = Result | Promise<Result>;

/** Has a job done, here or beside; `shared` where others wait for this thread. Throws, or rejects, as the job does. */
export type Run = <Name extends JobName>(
  job: Name,
  given: Parameters<Jobs[Name]>,
  shared?: boolean,
) => Later<ReturnType<Jobs[Name]>>;

/** Does a job at once. */
export const doHere: Run = <Name extends JobName>(job: Name, given: Parameters<Jobs[Name]>) =>
  Reflect.apply(jobs[job], jobs, given) as ReturnType<Jobs[Name]>;
