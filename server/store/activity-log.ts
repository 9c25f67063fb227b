/** What the workbench did, as every kind of server keeps it. Called by server/http; kept by server/workspace or by a shared store. */
import type {
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
  NewJob,
  RequestEntry,
} from '../../core/app/activity.ts';

/** A request as it is handed over; what it holds has been redacted. */
export type NewRequest = Omit<RequestEntry, 'seq'>;

/** Where a page starts: older than `before`, or newer than `after`. */
export interface ActivityPlace {
  readonly before?: number;
  readonly after?: number;
  readonly count: number;
}

export interface ActivityLog {
  /** Takes a request; it is written with others within 250 ms, so that no answer waits for the disk. */
  note(request: NewRequest): void;
  add(job: NewJob): Promise<ActivityEntry>;
  /** Newest first; what was noted before is in it. */
  list(filter: ActivityFilter, place: ActivityPlace): Promise<ActivityPage>;
  /** Removes every entry, of a data folder from the file too; says how many there were. */
  clear(): Promise<number>;
  flush(): void;
}
