/** The clock of the supervisor. Tests replace it. */
export interface Clock {
  /** Returns milliseconds. Only differences are meaningful. */
  now(): number;
  /** Runs `task` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, task: () => void): () => void;
}

/** A clock that does not depend on the system time. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
