import type { Principal } from '../access/principal.ts';

/**
 * Addresses that the page requests again after each change event.
 *
 * The audit log has an entry of the first response in each hour, so one viewer causes 24 entries a day. The
 * address alone decides. Rejected requests and other addresses always have an entry.
 */
const repeatedPaths: ReadonlySet<string> = new Set([
  '/app/overview',
  '/app/overview/records',
  '/app/quality/findings',
  '/app/quality/groups',
  '/app/quality/records/:type/:id',
]);

/** Milliseconds until the same read of the same person has a new entry. */
const spanMs = 60 * 60_000;

/** Limit of remembered reads. Beyond it, all reads have entries again. */
const maxReads = 10_000;

/** A read with a response. */
interface CompletedRead {
  /** Path of the route with parameter names. */
  readonly path: string;
  /** Requested address with its parameters. */
  readonly address: string;
  readonly principal: Pick<Principal, 'id' | 'person'> | undefined;
  readonly time: number;
}

/** Returns true if an entry of the last hour already covers this read. */
export type IsRepeated = (request: CompletedRead) => boolean;

export function createRepeatedReads(): IsRepeated {
  const loggedAtByKey = new Map<string, number>();
  return ({ path, address, principal, time }) => {
    if (!repeatedPaths.has(path) || principal === undefined) return false;
    const key = JSON.stringify([principal.id, principal.person, address]);
    const loggedAt = loggedAtByKey.get(key);
    // If the clock was set back, the hour starts again.
    if (loggedAt !== undefined && time >= loggedAt && time - loggedAt < spanMs) return true;
    if (loggedAtByKey.size >= maxReads) loggedAtByKey.clear();
    loggedAtByKey.set(key, time);
    return false;
  };
}
