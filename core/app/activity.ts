/**
 * What the page and `/app/activity` say to each other: the requests of the workbench and the jobs that it ran, newest
 * first. Ids and query parameters stand in the paths; bodies, header values and tokens never do.
 */
import type { Problem } from '../fhir/outcome.ts';

/** Kinds of request, told from method and address by the server. */
export const requestKinds = ['search', 'read', 'history', 'write', 'validate', 'app'] as const;

/** Kinds of job, which the page adds with a sentence. */
export const jobKinds = ['bulk', 'import', 'export', 'training'] as const;

export const activityKinds = [...requestKinds, ...jobKinds] as const;
export type RequestKind = (typeof requestKinds)[number];
export type JobKind = (typeof jobKinds)[number];
export type ActivityKind = (typeof activityKinds)[number];

export const activityMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** The record that a request named, and its versions where they are known. */
export interface ActivityRecord {
  readonly type: string;
  readonly id: string;
  readonly before?: number;
  readonly after?: number;
}

interface ActivityBase {
  /** Rises with each entry; places of pages are named by it. */
  readonly seq: number;
  /** Instant, UTC, when the request came. */
  readonly time: string;
  /** Name of the connection that was worked on. */
  readonly connection: string;
}

export interface RequestEntry extends ActivityBase {
  readonly kind: RequestKind;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  /** 0 where the page went away before the answer's end. */
  readonly status: number;
  readonly ms: number;
  readonly requestBytes: number;
  readonly answerBytes: number;
  readonly requestId: string;
  readonly record?: ActivityRecord;
}

export interface JobEntry extends ActivityBase {
  readonly kind: JobKind;
  /** What was done, in a sentence. */
  readonly note: string;
  readonly counts: Readonly<Record<string, number>>;
}

export type ActivityEntry = RequestEntry | JobEntry;

/** `POST /app/activity`. */
export type NewJob = Pick<JobEntry, 'kind' | 'note' | 'counts'> & {
  /** Name of the connection that was worked on; the local server where absent. */
  readonly connection?: string;
};

/** The query of `GET /app/activity`; a text looks in paths, notes and request ids. */
export interface ActivityFilter {
  readonly text?: string;
  readonly method?: string;
  readonly status?: StatusClass;
  readonly kind?: ActivityKind;
  /** Instant of the oldest entry. */
  readonly since?: string;
}

export interface ActivityPage {
  readonly entries: readonly ActivityEntry[];
  /** Entries that match the filter, on all pages. */
  readonly total: number;
  /** `before` of the next page. */
  readonly next?: number;
}

export const activityLimits = { entries: 20_000, page: 500, text: 200, note: 500, counts: 20 } as const;

export function isJobEntry(entry: ActivityEntry): entry is JobEntry {
  return jobKinds.some((kind) => kind === entry.kind);
}

/** Reads what asks for a new entry: the job, or what is wrong with it. */
export function checkJob(value: unknown): { readonly job: NewJob } | { readonly problem: Problem } {
  if (!isObject(value)) return { problem: { text: 'Send one JSON object with kind, note and counts.' } };
  const { kind: named, note, counts, connection } = value;
  const kind = jobKinds.find((one) => one === named);
  if (kind === undefined) {
    return { problem: { text: `kind is one of ${jobKinds.join(', ')}.`, expression: 'kind' } };
  }
  if (typeof note !== 'string' || note === '' || note.length > activityLimits.note) {
    return {
      problem: { text: `note is a sentence of 1 to ${activityLimits.note} characters.`, expression: 'note' },
    };
  }
  if (!isCounts(counts)) {
    return {
      problem: { text: `counts are at most ${activityLimits.counts} named numbers.`, expression: 'counts' },
    };
  }
  if (connection === undefined) return { job: { kind, note, counts } };
  if (typeof connection !== 'string' || connection === '' || connection.length > activityLimits.text) {
    return { problem: { text: 'connection is the name of a connection.', expression: 'connection' } };
  }
  return { job: { kind, note, counts, connection } };
}

function isCounts(value: unknown): value is Readonly<Record<string, number>> {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= activityLimits.counts &&
    entries.every(([name, count]) => /^[A-Za-z][A-Za-z -]{0,39}$/.test(name) && Number.isSafeInteger(count))
  );
}

export function isActivityPage(value: unknown): value is ActivityPage {
  return (
    isObject(value) &&
    typeof value.total === 'number' &&
    Array.isArray(value.entries) &&
    value.entries.every(isEntry)
  );
}

function isEntry(value: unknown): value is ActivityEntry {
  if (!isObject(value) || typeof value.seq !== 'number' || typeof value.time !== 'string') return false;
  if (jobKinds.some((kind) => kind === value.kind)) {
    return typeof value.note === 'string' && isCounts(value.counts);
  }
  return (
    requestKinds.some((kind) => kind === value.kind) &&
    ['method', 'path', 'requestId'].every((name) => typeof value[name] === 'string') &&
    ['status', 'ms', 'requestBytes', 'answerBytes'].every((name) => typeof value[name] === 'number')
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
