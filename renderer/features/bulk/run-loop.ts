import type { Client, RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import type { BulkOperation } from '../../../core/app/bulk.ts';
import { examine, type ExamineOptions } from '../../../core/app/bulk-replace.ts';
import { scan } from '../../../core/json/scan.ts';
import type { Settled, Target } from './bulk-state.ts';
import { createPause, pauseOf } from './pause.ts';
import { text } from '../../ui/text.ts';

/** Requests under way at once: enough to keep the server busy, few enough to leave room for others. */
const atOnce = 4;

/** Milliseconds for which outcomes are collected before they are drawn and kept. */
const collected = 100;

/** The server is away, or takes this page for nobody: going on with other records would help nothing. */
export class RunHalted extends Error {
  override readonly name = 'RunHalted';
}

/** A token, a server behind the gateway that is away, or a confirmation is missing for the next record too. */
const halting = new Set([401, 428, 502, 504]);

export interface LoopOptions {
  readonly client: Pick<Client, 'read' | 'patch'>;
  readonly operations: readonly BulkOperation[];
  readonly judge: ExamineOptions;
  /** The host that the steward confirmed the run to. */
  readonly confirmed?: string | undefined;
  /** Why, as the header of each write says it. */
  readonly provenance?: string | undefined;
}

/** Reads a record and tries the operations on it. Rejects where the server is away. */
export async function examineTarget(target: Target, options: LoopOptions): Promise<Target> {
  const { client, operations, judge } = options;
  const { type, id, title } = target;
  try {
    const record = await client.read(type, id);
    const { version, etag } = record;
    const seen = {
      ...{ type, id, title },
      ...(version !== undefined && { version }),
      ...(etag !== undefined && { etag }),
    };
    const examined = examine(record.text, type, operations, judge);
    if (examined.state !== 'ready') return { ...seen, ...examined };
    const { body, changes, warnings } = examined;
    return { ...seen, state: 'ready', body, base: record.text, changes, warnings };
  } catch (error) {
    return { type, id, title, state: 'unread', detail: sentenceOf(error) };
  }
}

/** Sends a record's patch where it is still the version that was looked at, and looks again where it is not. */
export async function sendTarget(target: Target, options: LoopOptions): Promise<Target> {
  const ready = target.body === undefined ? await lookAgain(target, options) : target;
  if (ready.state !== 'ready' || ready.body === undefined) return ready;
  const { type, id, etag, base } = ready;
  try {
    const { confirmed, provenance } = options;
    const from = { etag, text: base, confirmed, provenance };
    const answer = await options.client.patch(type, id, ready.body, from);
    const written = !isSameText(answer, ready);
    return {
      ...ready,
      state: written ? 'done' : 'unchanged',
      ...(answer.version !== undefined && { version: answer.version }),
      ...(answer.etag !== undefined && { etag: answer.etag }),
      ...(!written && { detail: text.bulk.held }),
    };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 412) return changedMeanwhile(ready, options);
    return { ...ready, state: 'failed', detail: sentenceOf(error) };
  }
}

/** A record of a run that was taken up again: sent only as the version that the dry run saw. */
async function lookAgain(target: Target, options: LoopOptions): Promise<Target> {
  const now = await examineTarget(target, options);
  if (now.state === 'unread') return { ...target, state: 'failed', detail: now.detail ?? '' };
  if (now.state === 'ready' && (now.etag === undefined || now.etag !== target.etag)) return meanwhile(now);
  return now;
}

/** Somebody else wrote first: nothing is overwritten, and what the change would be now is there to be seen. */
async function changedMeanwhile(target: Target, options: LoopOptions): Promise<Target> {
  const now = await examineTarget(target, options);
  return now.state === 'ready' ? meanwhile(now) : now;
}

function meanwhile(now: Target): Target {
  return { ...now, state: 'changed', detail: text.bulk.meanwhile(now.version) };
}

/** @throws what was thrown where the server did not answer, asks for a token, or asks to wait: no outcome of a record. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiFailure) || halting.has(error.status) || pauseOf(error) !== undefined)
    throw error;
  const sentences = (error.outcome?.issue ?? []).map(({ details }) => details?.text ?? '').filter(Boolean);
  return sentences.length > 0 ? sentences.join(' ') : error.message;
}

/** Whether a patch changed nothing, as the server's own version tells. */
function isSameText(answer: RecordVersion, { etag, base = '' }: Target): boolean {
  return isSameVersion({ ...answer, root: scan(answer.text).root }, { etag, root: scan(base).root });
}

export interface EachOptions {
  readonly work: (target: Target) => Promise<Target>;
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
        const settled = { place, target: await work(target) };
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
