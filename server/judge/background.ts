import { setImmediate } from 'node:timers/promises';
import type { Every } from '../backups/backups.ts';
import type { SharedStore } from '../store/store.ts';
import type { Pace } from './pace.ts';

export interface BackgroundParts {
  readonly store: Pick<SharedStore, 'leases' | 'beginBulk'>;
  /** The name of its lease, and for how many seconds a call holds that; as long as usual where absent. */
  readonly leased: readonly [name: string, seconds?: number];
  /** Does one slice; whether there may be more to do. */
  readonly step: () => Promise<boolean>;
  /** Called behind each slice that did something, and once nothing is left to do. */
  readonly moved?: (() => void) | undefined;
  /** Whether there is something to do though nobody said so, and no other server may have left any; asked each minute. */
  readonly isDue?: () => boolean;
  /** How it gives way to who asks. */
  readonly pace: Pick<Pace, 'slice'>;
  readonly every: Every;
  readonly log: (line: string) => void;
  /** What was not done where a slice failed: `derived rows were not made anew`. */
  readonly failed: string;
}

/** What all background work of a server has alike. */
export type BackgroundGiven = Pick<BackgroundParts, 'pace' | 'every' | 'log' | 'moved'>;

const minute = 60_000;

/** Milliseconds until it is asked again whether work that another server does is this one's. */
const turn = 1000;

/** Work that is done slice by slice behind what others ask for: others have their turn between two. */
export function createBackground(parts: BackgroundParts) {
  const { store, leased, step, moved, isDue = () => false, pace, every, log, failed } = parts;
  const lease = store.leases.of(...leased);
  let running: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let stopped = false;
  let soon: NodeJS.Timeout | undefined;

  async function work(): Promise<void> {
    let hasMoved = false;
    do {
      await setImmediate();
      again = false;
      if (!(await lease.hold())) {
        wakeSoon(turn);
        return;
      }
      const more = await pace.slice(step);
      if (more) again = true;
      if (more || hasMoved) moved?.();
      hasMoved = more;
    } while (again && !closed);
  }

  async function run(): Promise<void> {
    const ended = store.beginBulk();
    try {
      await work();
    } catch (error) {
      // What a disk or a lock stopped goes on where it was, in a minute.
      again = false;
      stopped = true;
      const fault = error instanceof Error ? error.name : typeof error;
      if (!closed) log(`${failed} (${fault}); tried again in a minute`);
    } finally {
      ended();
      // Where it cannot be given back, it ends by itself.
      await lease.release().catch(() => undefined);
      running = undefined;
      if (again && !closed) wake();
    }
  }

  /** Looks whether there is anything to do, and does it. */
  function wake(): void {
    again = true;
    stopped = false;
    running ??= run();
  }

  /** Wakes so many milliseconds behind the first call since it last woke: what comes together is done together. */
  function wakeSoon(milliseconds: number): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      if (!closed) wake();
    }, milliseconds).unref();
  }

  const stop = every(minute, () => {
    if (stopped || store.leases.shared || isDue()) wake();
  });

  return {
    ...{ wake, wakeSoon },

    /** Resolves once nothing is left to do. */
    async idle(): Promise<void> {
      while (running) await running;
    },

    /** Ends behind the slice under way. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(soon);
      stop();
      await running;
    },
  };
}
