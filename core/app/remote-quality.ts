/** What page and server say to each other of `/app/connections/{id}/quality`: the worklist of another server's records. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { QualityOverview } from './quality.ts';

export const remoteJobStates = ['none', 'running', 'waiting', 'stopped', 'failed', 'done'] as const;

/** How far the records of a connection are read and judged. */
export const RemoteJob = v.object({
  state: v.picklist(remoteJobStates),
  /** Records that were judged since it began. */
  read: v.number(),
  /** How many there are to read, where the server says so of all types. */
  total: v.exactOptional(v.number()),
  /** When it began: an instant. */
  since: v.exactOptional(v.string()),
  /** Until when it waits: an instant. */
  until: v.exactOptional(v.string()),
  /** Why it waits or ended, in a sentence. */
  fault: v.exactOptional(v.string()),
  /** What the server refuses to list, in its own words. */
  remarks: v.array(v.string()),
});
export type RemoteJob = Shape<typeof RemoteJob>;

/** `GET /app/connections/{id}/quality`. */
export const RemoteQuality = v.object({ ...QualityOverview.entries, job: RemoteJob });
export type RemoteQuality = Shape<typeof RemoteQuality>;

/** `POST /app/connections/{id}/quality/judge`: from the start, or what changed since the last run. */
export const RemoteJudging = v.strictObject({ from: v.exactOptional(v.literal('start')) });
