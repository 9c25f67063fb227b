import type { Settled, Target } from './bulk-state.ts';
import { createPause, pauseOf } from './pause.ts';

/** Requests under way at once: enough to keep the server busy, few enough to leave room for others. */
const atOnce = 4;

/** Milliseconds for which outcomes are collected before they are drawn and kept. */
const collected = 100;

/** The server is away, or takes this page for nobody: going on with other records would help nothing. */
export class RunHalted extends Error {
  override readonly name = 'RunHalted';
}

export interface EachOptions {
  readonly work: (target: Target, place: number) => Promise<Target>;
  /** Outcomes since the last call; awaited, so that they are kept before many more are made. */
  readonly report: (settled: readonly Settled[]) => Promise<void> | void;
  readonly signal: AbortSignal;
  /** The server asks to be left alone for so many seconds; then the run goes on with the same records. */
  readonly waits?: (seconds: number) => void;
}

/**
 * Works through the targets, a few at once, and pauses where the server asks for it. Stops taking new ones when `signal` is aborted; what is under way is
 * finished and reported. Rejects with what stopped it, after that report.
 */
export async function eachTarget(
  places: readonly number[],
  targetAt: (place: number) => Target | undefined,
  { work, report, signal, waits }: EachOptions,
): Promise<void> {
  let waiting: Settled[] = [];
  let halted: { readonly cause: unknown } | undefined;
  let next = 0;
  /** Places whose records the server did not take yet. */
  const again: number[] = [];
  let reported = Promise.resolve();
  const flush = () => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    reported = reported
      .then(() => report(batch))
      .catch((error: unknown) => {
        // What cannot be kept must not grow.
        halted ??= { cause: error };
      });
  };
  const timer = setInterval(flush, collected);
  const pause = createPause(signal, waits);
  const worker = async () => {
    while (!signal.aborted && halted === undefined) {
      const place = again.pop() ?? places[next++];
      if (place === undefined) return;
      const target = targetAt(place);
      if (!target) continue;
      try {
        // First the outcome: while it is awaited, another list may begin.
        const settled = { place, target: await work(target, place) };
        waiting.push(settled);
      } catch (error) {
        const seconds = pauseOf(error);
        if (seconds === undefined) halted ??= { cause: error };
        else {
          pause.prolong(seconds);
          again.push(place);
        }
      }
      await pause.over();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  clearInterval(timer);
  flush();
  await reported;
  if (halted !== undefined) throw new RunHalted('', halted);
}
