import type { CompletedTarget, Target } from './bulk-state.ts';
import { createPause, pauseOf } from './pause.ts';

/** Concurrent requests: enough to use the server, few enough to leave room for others. */
const concurrency = 4;

/** Interval in which results are collected before they are rendered and stored. */
const reportIntervalMs = 100;

/** The server is unreachable or rejects the session, so other records would fail too. */
export class RunAbortedError extends Error {
  override readonly name = 'RunAbortedError';
}

export interface EachOptions {
  readonly work: (target: Target, place: number) => Promise<Target>;
  /** Receives the results since the last call. Awaited, so that storing limits the speed of the run. */
  readonly report: (results: readonly CompletedTarget[]) => Promise<void> | void;
  readonly signal: AbortSignal;
  /** Called with the seconds that the server asks to wait. The run then continues with the same records. */
  readonly waits?: (seconds: number) => void;
}

/**
 * Works through the targets with a few concurrent requests and pauses if the server asks for it. Takes no new target
 * once `signal` is aborted, then finishes and reports pending targets.
 *
 * @throws RunAbortedError after that report, if an error stopped the run.
 */
export async function eachTarget(
  places: readonly number[],
  targetAt: (place: number) => Target | undefined,
  { work, report, signal, waits }: EachOptions,
): Promise<void> {
  let unreported: CompletedTarget[] = [];
  let haltReason: { readonly cause: unknown } | undefined;
  let next = 0;
  /** Places of records to send again after the pause. */
  const retryPlaces: number[] = [];
  let reported = Promise.resolve();
  const flush = () => {
    const batch = unreported;
    unreported = [];
    if (batch.length === 0) return;
    reported = reported
      .then(() => report(batch))
      .catch((error: unknown) => {
        // Unstored results must not accumulate.
        haltReason ??= { cause: error };
      });
  };
  const timer = setInterval(flush, reportIntervalMs);
  const pause = createPause(signal, waits);
  const worker = async () => {
    while (!signal.aborted && haltReason === undefined) {
      const place = retryPlaces.pop() ?? places[next++];
      if (place === undefined) return;
      const target = targetAt(place);
      if (!target) continue;
      try {
        // Await first: another batch may start meanwhile.
        const completed = { place, target: await work(target, place) };
        unreported.push(completed);
      } catch (error) {
        const seconds = pauseOf(error);
        if (seconds === undefined) haltReason ??= { cause: error };
        else {
          pause.extend(seconds);
          retryPlaces.push(place);
        }
      }
      await pause.waitUntilOver();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  clearInterval(timer);
  flush();
  await reported;
  if (haltReason !== undefined) throw new RunAbortedError('', haltReason);
}
