/**
 * The activity log of the workbench. Used by server/http; implemented by server/workspace and by a shared
 * store.
 */
import type {
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
  NewJob,
  RequestEntry,
} from '../../core/app/activity.ts';

/** A new request entry, already redacted. */
export type NewRequest = Omit<RequestEntry, 'seq'>;

/** Start of a page: older than `before`, or newer than `after`. */
export interface ActivityCursor {
  readonly before?: number;
  readonly after?: number;
  readonly count: number;
}

export interface ActivityLog {
  /**
   * Queues a request. Requests are written together within 250 ms, so that no response waits for the disk.
   */
  note(request: NewRequest): void;
  add(job: NewJob): Promise<ActivityEntry>;
  /** Returns the latest entries first, including queued ones. */
  list(filter: ActivityFilter, place: ActivityCursor): Promise<ActivityPage>;
  /** Removes every entry, also from the file of a data folder. Returns their number. */
  clear(): Promise<number>;
  flush(): void;
}
