import type { Principal } from '../access/principal.ts';

/**
 * Addresses that the page asks again by itself, whenever the stream of changes says that something changed. The audit trail
 * has an entry of the first answer, and of the first in each hour: who looks on for a day has 24. Nobody can ask for this: it
 * is decided by the address alone, and an answer that is refused always has its entry. What is not listed has one a request.
 */
const repeated: ReadonlySet<string> = new Set([
  '/app/overview',
  '/app/overview/records',
  '/app/quality/findings',
  '/app/quality/groups',
  '/app/quality/records/:type/:id',
]);

/** Milliseconds for which an entry stands for the same question of the same person. */
const span = 60 * 60_000;

/** Questions that are remembered; where there are more, all have entries again. */
const most = 10_000;

/** A read that was answered. */
interface AnsweredRead {
  /** The route's path, with names in the place of ids. */
  readonly path: string;
  /** The address as it was asked, with its parameters. */
  readonly address: string;
  readonly principal: Pick<Principal, 'id' | 'person'> | undefined;
  readonly time: number;
}

/** Returns whether an entry of the last hour says already that this person asked this. */
export type IsRepeated = (read: AnsweredRead) => boolean;

export function createRepeatedReads(): IsRepeated {
  const noted = new Map<string, number>();
  return ({ path, address, principal, time }) => {
    if (!repeated.has(path) || principal === undefined) return false;
    const key = JSON.stringify([principal.id, principal.person, address]);
    const last = noted.get(key);
    // A clock that was set back starts anew.
    if (last !== undefined && time >= last && time - last < span) return true;
    if (noted.size >= most) noted.clear();
    noted.set(key, time);
    return false;
  };
}
