import type { ScheduleEvery } from '../background/background.ts';
import type { NewAuditEntry } from '../store/audit-chain.ts';

/** Request without a valid token. */
export interface UnauthenticatedRequest {
  readonly address: string;
  /** True if the request carried credentials. Wrong credentials may be a guess. */
  readonly credentials: boolean;
}

interface Group {
  readonly address: string;
  readonly firstEntry: NewAuditEntry;
  repeatCount: number;
  guesses: number;
}

const minute = 60_000;

/** Groups of address and status in one minute. Further addresses are counted together. */
const maxGroups = 50;
const otherAddresses = 'other addresses';

/** Characters of an unauthenticated request that an entry stores. */
const maxTextLength = 100;

/**
 * Limits rejected requests to two entries per address, status and minute.
 *
 * Otherwise a caller without a token could fill the log, or hide one request behind many.
 */
export function createRejectionAudit(
  append: (entry: NewAuditEntry) => void,
  scheduleEvery: ScheduleEvery,
  clock: () => number = Date.now,
) {
  const groups = new Map<string, Group>();
  const appendCounts = () => {
    const time = clock();
    for (const group of groups.values()) {
      if (group.repeatCount > 0)
        append({ ...group.firstEntry, time, what: formatCount(group), requestId: '' });
    }
    groups.clear();
  };
  const stop = scheduleEvery(minute, appendCounts);
  return {
    /** Counts a rejection. The entry is built for the first of its group only. */
    addRejection(
      { address, credentials }: UnauthenticatedRequest,
      status: number,
      entry: () => NewAuditEntry,
    ): void {
      const source = groups.has(`${address} ${status}`) || groups.size < maxGroups ? address : otherAddresses;
      const key = `${source} ${status}`;
      const group = groups.get(key);
      if (group) {
        group.repeatCount += 1;
        if (credentials) group.guesses += 1;
        return;
      }
      const firstEntry = entry();
      groups.set(key, { address: source, firstEntry: firstEntry, repeatCount: 0, guesses: 0 });
      append({ ...firstEntry, what: truncateTarget(firstEntry.what, address) });
    },
    /** Writes the counts of the current minute. */
    close(): void {
      stop();
      appendCounts();
    },
  };
}

function formatCount({ address, repeatCount, guesses }: Group): string {
  const guessCount = guesses === 0 ? 'none' : String(guesses);
  return `${repeatCount} more in this minute from ${address}, ${guessCount} with credentials`;
}

/** Truncates an audit target. Includes the client address if it is not a loopback address. */
function truncateTarget(target: string, address: string): string {
  const from = isLoopback(address) ? '' : ` (from ${address})`;
  const maxLength = maxTextLength - from.length;
  return (target.length > maxLength ? `${target.slice(0, maxLength - 1)}…` : target) + from;
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address);
}
