import type { RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { standingChanges } from '../../../core/app/bulk-follow.ts';
import type { HistoryEntry } from '../../../core/app/history.ts';
import { expressionAt } from '../../../core/fhir/expression.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { clockTime } from '../../ui/time.ts';
import { byline } from '../../ui/text/byline.ts';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import { heldOf, isSameContent, nameOf, sentenceOf, type RunWork, type WorkOptions } from './target-work.ts';

/**
 * Puts back the text of the version before, where the version that the run wrote still stands. A record that somebody
 * has changed since is left as it is and named; so is one that is gone.
 */
export async function undoTarget(target: Target, options: WorkOptions): Promise<Target> {
  const before = nameOf(target.before ?? {});
  const written = nameOf(target);
  if (before === undefined || written === undefined) {
    return { ...target, state: 'cannot', detail: text.bulk.undo.unknown };
  }
  try {
    try {
      const send = options.putBack ?? (() => sendBefore(target, before, written, options));
      return putBack(target, await send());
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 412)) throw error;
      return await changedSince(target, before, options);
    }
  } catch (error) {
    const detail = sentenceOf(error);
    const isGone = error instanceof ApiFailure && (error.status === 404 || error.status === 410);
    return { ...target, state: isGone ? 'gone' : 'failed', detail };
  }
}

/** To a server that puts back nothing by itself: the text of the version before, as an update. */
async function sendBefore(
  { type, id, etag }: Target,
  before: number | string,
  written: number | string,
  { client, confirmed, provenance }: WorkOptions,
): Promise<RecordVersion> {
  const was = await client.readVersion(type, id, before);
  // Without an ETag the record is compared with what the run wrote.
  const base = etag === undefined ? (await client.readVersion(type, id, written)).text : undefined;
  return client.update(type, id, was.text, { etag, text: base, confirmed, provenance });
}

/** Of an undo that was interrupted: what was put back counts as put back, the rest is left as it was. */
async function settleUndo(target: Target, options: WorkOptions): Promise<Target> {
  const { type, id } = target;
  const before = nameOf(target.before ?? {});
  if (before === undefined) return target;
  try {
    const now = await options.client.read(type, id);
    if (now.etag !== undefined && now.etag === target.etag) return target;
    const was = await options.client.readVersion(type, id, before);
    return isSameContent(was.text, now.text) ? putBack(target, now) : target;
  } catch (error) {
    sentenceOf(error);
    return target;
  }
}

/** How an undo works on its records. */
export const undoing: RunWork = { send: undoTarget, settle: settleUndo };

/** The version that the run wrote is no longer the newest: who wrote the one that is, or that this undo wrote it. */
async function changedSince(target: Target, before: number | string, options: WorkOptions): Promise<Target> {
  const { type, id } = target;
  const was = await options.client.readVersion(type, id, before);
  const now = await options.client.read(type, id);
  const [newest, former] = await lastTwo(target, options);
  if (isSameContent(was.text, now.text)) {
    // What followed the run at once and says what was before it, this undo put back: only the answer was lost.
    if (former?.version === target.version) return putBack(target, now);
    return { ...target, ...heldOf(now), state: 'unchanged', detail: text.bulk.undo.holds };
  }
  const stands = await standingAt(target, was, now, options);
  const detail = [sinceOf(now, newest), stands].filter(Boolean).join(' ');
  return { ...target, ...heldOf(now), state: 'changed', detail };
}

/** Places that are named of what still stands. */
const namedPlaces = 3;

/** Returns where a later version still has what the run wrote; blank where none of it is left, or nobody can tell. */
async function standingAt(
  target: Target,
  was: RecordVersion,
  now: RecordVersion,
  { client }: WorkOptions,
): Promise<string> {
  const { type, id } = target;
  const written = nameOf(target);
  try {
    const made = written === undefined ? undefined : await client.readVersion(type, id, written);
    const places = made ? standingChanges(was.text, made.text, now.text) : [];
    if (places.length === 0) return '';
    const named = places.slice(0, namedPlaces).map((one) => expressionAt(type, parsePointer(one) ?? []));
    return text.bulk.undo.stands(named, places.length - named.length);
  } catch (error) {
    sentenceOf(error);
    return '';
  }
}

async function lastTwo({ type, id }: Target, { client }: WorkOptions): Promise<readonly HistoryEntry[]> {
  try {
    return (await client.history(type, id, { count: 2 })).versions;
  } catch (error) {
    sentenceOf(error);
    return [];
  }
}

function sinceOf({ version }: RecordVersion, newest: HistoryEntry | undefined): string {
  if (!newest) return text.bulk.undo.since(version);
  const by = newest.author === '' ? '' : byline(newest);
  return text.bulk.undo.sinceBy(newest.version, by, clockTime(newest.lastUpdated));
}

function putBack({ detail: _, ...target }: Target, answer: RecordVersion): Target {
  return { ...target, state: 'done', before: heldOf(target), ...heldOf(answer) };
}
