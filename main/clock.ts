/** Time as the supervisor sees it, so that tests can move it. */
export interface Clock {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Runs `task` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, task: () => void): () => void;
}

/** A clock that a change of the computer's time does not move. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
};
