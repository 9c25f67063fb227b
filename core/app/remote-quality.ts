/** Data of `/app/connections/{id}/quality`: the worklist of a remote server's records. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { QualityOverview } from './quality.ts';

export const remoteJobStates = ['none', 'running', 'waiting', 'stopped', 'failed', 'done'] as const;

/** Progress of the remote validation of a connection. */
export const RemoteJob = v.object({
  state: v.picklist(remoteJobStates),
  /** Count of records validated in this run. */
  read: v.number(),
  /** Count of records to read; absent unless the server reports it for all types. */
  total: v.exactOptional(v.number()),
  /** Instant of the start. */
  since: v.exactOptional(v.string()),
  /** Instant at which a waiting run continues. */
  until: v.exactOptional(v.string()),
  /** Reason of a wait or failure, one sentence. */
  fault: v.exactOptional(v.string()),
  /** Messages of the server about types that it does not list. */
  remarks: v.array(v.string()),
});
export type RemoteJob = Shape<typeof RemoteJob>;

/** `GET /app/connections/{id}/quality`. */
export const RemoteQuality = v.object({ ...QualityOverview.entries, job: RemoteJob });
export type RemoteQuality = Shape<typeof RemoteQuality>;

/**
 * Body of `POST /app/connections/{id}/quality/judge`: all records, or only the records that changed since the last run.
 */
export const RemoteJudging = v.strictObject({ from: v.exactOptional(v.literal('start')) });
