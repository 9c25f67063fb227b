import type { Every } from '../backups/backups.ts';
import type { NewAuditEntry } from '../store/audit-rows.ts';

/** Somebody whom no token names yet. */
export interface Stranger {
  /** Where the request came from. */
  readonly address: string;
  /** Whether it brought credentials: who has none is told to sign in, who has wrong ones may be guessing. */
  readonly credentials: boolean;
}

interface Group {
  readonly address: string;
  readonly first: NewAuditEntry;
  more: number;
  guesses: number;
}

const minute = 60_000;

/** Addresses and statuses that are told apart in a minute; what comes from others is counted together. */
const mostGroups = 50;
const others = 'further addresses';

/** Characters that a stranger can have written down. */
const mostText = 100;

/**
 * Writes two entries for the refused requests of an address, of one status, in one minute. Nobody fills the trail, or the
 * memory, without a token; and none hides a request of another kind behind many.
 */
export function createStrangers(
  note: (entry: NewAuditEntry) => void,
  every: Every,
  clock: () => number = Date.now,
) {
  const groups = new Map<string, Group>();
  const sum = () => {
    const time = clock();
    for (const group of groups.values()) {
      if (group.more > 0) note({ ...group.first, time, what: numberOf(group), requestId: '' });
    }
    groups.clear();
  };
  const stop = every(minute, sum);
  return {
    /** Takes a refusal; its entry is asked for where it is the first of its kind alone. */
    refused({ address, credentials }: Stranger, status: number, entry: () => NewAuditEntry): void {
      const place = groups.has(`${address} ${status}`) || groups.size < mostGroups ? address : others;
      const key = `${place} ${status}`;
      const group = groups.get(key);
      if (group) {
        group.more += 1;
        if (credentials) group.guesses += 1;
        return;
      }
      const first = entry();
      groups.set(key, { address: place, first, more: 0, guesses: 0 });
      note({ ...first, what: cut(first.what, address) });
    },
    /** Writes the numbers of the minute that is not over yet. */
    close(): void {
      stop();
      sum();
    },
  };
}

function numberOf({ address, more, guesses }: Group): string {
  const brought = guesses === 0 ? 'none' : String(guesses);
  return `${more} more in this minute from ${address}, ${brought} of them with credentials`;
}

/** What was asked for; on a server that other machines reach, also from where. */
function cut(what: string, address: string): string {
  const from = isLoopback(address) ? '' : ` (from ${address})`;
  const room = mostText - from.length;
  return (what.length > room ? `${what.slice(0, room - 1)}…` : what) + from;
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(address);
}
