/**
 * What the page and `/app/activity` say to each other: the requests of the workbench and the jobs that it ran, newest
 * first. Ids and query parameters stand in the paths; bodies, header values and tokens never do.
 */
import * as v from 'valibot';
import { members, type Shape } from '../json/shape.ts';

/** Kinds of request, told from method and address by the server. */
export const requestKinds = ['search', 'read', 'history', 'write', 'validate', 'app'] as const;

/** Kinds of job, which the page adds with a sentence. */
export const jobKinds = ['bulk', 'import', 'export', 'training'] as const;

export const activityKinds = [...requestKinds, ...jobKinds] as const;
export type RequestKind = (typeof requestKinds)[number];
export type ActivityKind = (typeof activityKinds)[number];

export const activityMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

export const activityLimits = { entries: 20_000, page: 500, text: 200, note: 500, counts: 20 } as const;

/** The record that a request named, and its versions where they are known. */
const ActivityRecord = v.object({
  type: v.string(),
  id: v.string(),
  before: v.exactOptional(v.number()),
  after: v.exactOptional(v.number()),
});
export type ActivityRecord = Shape<typeof ActivityRecord>;

const base = {
  /** Rises with each entry; places of pages are named by it. */
  seq: v.number(),
  /** Instant, UTC, when the request came. */
  time: v.string(),
  /** Name of the connection that was worked on. */
  connection: v.string(),
};

const RequestEntry = v.object({
  ...base,
  kind: v.picklist(requestKinds),
  method: v.string(),
  /** Path and query as they were sent. */
  path: v.string(),
  /** 0 where the page went away before the answer's end. */
  status: v.number(),
  ms: v.number(),
  requestBytes: v.number(),
  answerBytes: v.number(),
  requestId: v.string(),
  record: v.exactOptional(ActivityRecord),
});
export type RequestEntry = Shape<typeof RequestEntry>;

function text(most: number, message: string) {
  return v.pipe(v.string(message), v.nonEmpty(message), v.maxLength(most, message));
}

const job = {
  kind: v.picklist(jobKinds, `kind is one of ${jobKinds.join(', ')}.`),
  /** What was done, in a sentence. */
  note: text(activityLimits.note, `note is a sentence of 1 to ${activityLimits.note} characters.`),
  counts: v.message(
    v.pipe(
      members,
      v.record(
        v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z -]{0,39}$/)),
        v.pipe(v.number(), v.safeInteger()),
      ),
      v.maxEntries(activityLimits.counts),
    ),
    `counts are at most ${activityLimits.counts} named numbers.`,
  ),
};

const JobEntry = v.object({ ...base, ...job });
export type JobEntry = Shape<typeof JobEntry>;

export type ActivityEntry = RequestEntry | JobEntry;

/** `POST /app/activity`. */
export const NewJob = v.object(
  {
    ...job,
    /** Name of the connection that was worked on; the local server where absent. */
    connection: v.exactOptional(text(activityLimits.text, 'connection is the name of a connection.')),
  },
  'Send one JSON object with kind, note and counts.',
);
export type NewJob = Shape<typeof NewJob>;

export function isJobEntry(entry: ActivityEntry): entry is JobEntry {
  return jobKinds.some((kind) => kind === entry.kind);
}

/** The query of `GET /app/activity`; a text looks in paths, notes and request ids. */
export interface ActivityFilter {
  readonly text?: string;
  readonly method?: string;
  readonly status?: StatusClass;
  readonly kind?: ActivityKind;
  /** Instant of the oldest entry. */
  readonly since?: string;
}

export const ActivityPage = v.object({
  entries: v.array(v.variant('kind', [RequestEntry, JobEntry])),
  /** Entries that match the filter, on all pages. */
  total: v.number(),
  /** `before` of the next page. */
  next: v.exactOptional(v.number()),
});
export type ActivityPage = Shape<typeof ActivityPage>;

/** `DELETE /app/activity`: how many entries there were. */
export const ActivityCleared = v.object({ cleared: v.number() });
