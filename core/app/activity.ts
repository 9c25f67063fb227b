/**
 * Data of `/app/activity`: requests of the workbench and jobs that it ran, newest first. Paths contain ids
 * and query parameters. The log never contains bodies, header values or tokens.
 */
import * as v from 'valibot';
import { members, type Shape } from '../json/shape.ts';
import { formatList } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { codedText } from './check.ts';

/** Kinds of request. The server derives the kind from method and address. */
export const requestKinds = ['search', 'read', 'history', 'write', 'validate', 'app'] as const;

/** Kinds of job. The page adds jobs with a message. */
export const jobKinds = ['bulk', 'import', 'export', 'training'] as const;

export const activityKinds = [...requestKinds, ...jobKinds] as const;
export type RequestKind = (typeof requestKinds)[number];
export type ActivityKind = (typeof activityKinds)[number];

export const activityMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
type StatusClass = (typeof statusClasses)[number];

export const activityLimits = { entries: 20_000, page: 500, text: 200, note: 500, counts: 20 } as const;

/** Record of a request, and its versions if they are known. */
const ActivityRecord = v.object({
  type: v.string(),
  id: v.string(),
  before: v.exactOptional(v.number()),
  after: v.exactOptional(v.number()),
});
export type ActivityRecord = Shape<typeof ActivityRecord>;

const base = {
  /** Rises with each entry. Cursors of pages contain it. */
  seq: v.number(),
  /** Instant of the request, UTC. */
  time: v.string(),
  connection: v.string(),
};

const RequestEntry = v.object({
  ...base,
  kind: v.picklist(requestKinds),
  method: v.string(),
  /** Path and query as they were sent. */
  path: v.string(),
  /** 0 if the page closed the connection before the response ended. */
  status: v.number(),
  ms: v.number(),
  requestBytes: v.number(),
  answerBytes: v.number(),
  requestId: v.string(),
  record: v.exactOptional(ActivityRecord),
});
export type RequestEntry = Shape<typeof RequestEntry>;

const messages = defineMessages('activity', {
  kind: 'kind must be {values}.',
  note: 'note must have 1 to {n} characters.',
  counts: 'counts must be at most {n} named numbers.',
  connection: 'connection must be the name of a connection.',
  body: 'Send one JSON object with kind, note and counts.',
});

function text(maxLength: number, message: string) {
  return v.pipe(v.string(message), v.nonEmpty(message), v.maxLength(maxLength, message));
}

const job = {
  kind: v.picklist(jobKinds, codedText(messages.kind({ values: formatList(jobKinds, 'disjunction') }))),
  /** Description of the job, one sentence. */
  note: text(activityLimits.note, codedText(messages.note({ n: activityLimits.note }))),
  counts: v.message(
    v.pipe(
      members,
      v.record(
        v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z -]{0,39}$/)),
        v.pipe(v.number(), v.safeInteger()),
      ),
      v.maxEntries(activityLimits.counts),
    ),
    codedText(messages.counts({ n: activityLimits.counts })),
  ),
};

const JobEntry = v.object({ ...base, ...job });
export type JobEntry = Shape<typeof JobEntry>;

export type ActivityEntry = RequestEntry | JobEntry;

/** `POST /app/activity`. */
export const NewJob = v.object(
  {
    ...job,
    /** Name of the connection. Absent for the local server. */
    connection: v.exactOptional(text(activityLimits.text, codedText(messages.connection()))),
  },
  codedText(messages.body()),
);
export type NewJob = Shape<typeof NewJob>;

export function isJobEntry(entry: ActivityEntry): entry is JobEntry {
  return jobKinds.some((kind) => kind === entry.kind);
}

/** Query of `GET /app/activity`. `text` searches paths, notes and request ids. */
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

/** Response of `DELETE /app/activity`: count of removed entries. */
export const ActivityCleared = v.object({ cleared: v.number() });
