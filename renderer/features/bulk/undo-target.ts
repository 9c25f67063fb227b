import type { RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { standingChanges } from '../../../core/app/bulk-follow.ts';
import type { HistoryEntry } from '../../../core/app/history.ts';
import { expressionAt } from '../../../core/fhir/validation/finding.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { clockTime } from '../../ui/time.ts';
import { byline } from '../../ui/text/byline.ts';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import {
  pickVersion,
  isSameContent,
  lastVersions,
  getVersionId,
  formatMessage,
  type RunWork,
  type WorkOptions,
} from './target-work.ts';

/**
 * Writes the text of the version before the run, if the version of the run is still current. A record that somebody
 * changed or removed since is reported and left unchanged.
 */
export async function undoTarget(target: Target, options: WorkOptions): Promise<Target> {
  const before = getVersionId(target.before ?? {});
  const writtenVersion = getVersionId(target);
  if (before === undefined || writtenVersion === undefined) {
    return { ...target, state: 'cannot', detail: text.bulk.undo.unknown };
  }
  try {
    try {
      const send = options.revert ?? (() => sendBefore(target, before, writtenVersion, options));
      return toReverted(target, await send());
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 412)) throw error;
      return await changedSince(target, before, options);
    }
  } catch (error) {
    const detail = formatMessage(error);
    const isGone = error instanceof ApiFailure && (error.status === 404 || error.status === 410);
    return { ...target, state: isGone ? 'gone' : 'failed', detail };
  }
}

/** Sends the previous text as an update, for servers that can't revert. */
async function sendBefore(
  { type, id, etag }: Target,
  before: number | string,
  writtenVersion: number | string,
  { client, confirmed, provenance }: WorkOptions,
): Promise<RecordVersion> {
  const baseVersion = await client.readVersion(type, id, before);
  // Without an ETag, the record is compared with the text that the run wrote.
  const base = etag === undefined ? (await client.readVersion(type, id, writtenVersion)).text : undefined;
  return client.update(type, id, baseVersion.text, { etag, text: base, confirmed, provenance });
}

/** Completes an interrupted undo: a revert that arrived counts as done, otherwise the record stays unchanged. */
async function settleUndo(target: Target, options: WorkOptions): Promise<Target> {
  const { type, id } = target;
  const before = getVersionId(target.before ?? {});
  if (before === undefined) return target;
  try {
    const now = await options.client.read(type, id);
    if (now.etag !== undefined && now.etag === target.etag) return target;
    const baseVersion = await options.client.readVersion(type, id, before);
    return isSameContent(baseVersion.text, now.text) ? toReverted(target, now) : target;
  } catch (error) {
    formatMessage(error);
    return target;
  }
}

export const undoing: RunWork = { writeTarget: undoTarget, resolveInterrupted: settleUndo };

/** Handles a later version: names its author, or recognizes it as the write of this undo. */
async function changedSince(target: Target, before: number | string, options: WorkOptions): Promise<Target> {
  const { type, id } = target;
  const baseVersion = await options.client.readVersion(type, id, before);
  const now = await options.client.read(type, id);
  const [latest, previous] = await lastVersions(target, options);
  if (isSameContent(baseVersion.text, now.text)) {
    // The version directly after the run has the text from before the run: this undo wrote it, and only the response
    // was lost.
    if (previous?.version === target.version) return toReverted(target, now);
    return { ...target, ...pickVersion(now), state: 'unchanged', detail: text.bulk.undo.holds };
  }
  const remainingNote = await describeRemaining(target, baseVersion, now, options);
  const detail = [describeLaterVersion(now, latest), remainingNote].filter(Boolean).join(' ');
  return { ...target, ...pickVersion(now), state: 'changed', detail };
}

/** Maximum number of named elements that still have the value of the run. */
const maxNamedPlaces = 3;

/**
 * Describes where a later version still has the values of the run; empty if none remain or a version can't be read.
 */
async function describeRemaining(
  target: Target,
  baseVersion: RecordVersion,
  now: RecordVersion,
  { client }: WorkOptions,
): Promise<string> {
  const { type, id } = target;
  const versionId = getVersionId(target);
  try {
    const writtenVersion =
      versionId === undefined ? undefined : await client.readVersion(type, id, versionId);
    const places = writtenVersion ? standingChanges(baseVersion.text, writtenVersion.text, now.text) : [];
    if (places.length === 0) return '';
    const expressions = places
      .slice(0, maxNamedPlaces)
      .map((pointer) => expressionAt(type, parsePointer(pointer) ?? []));
    return text.bulk.undo.stands(expressions, places.length - expressions.length);
  } catch (error) {
    formatMessage(error);
    return '';
  }
}

function describeLaterVersion({ version }: RecordVersion, newest: HistoryEntry | undefined): string {
  if (!newest) return text.bulk.undo.since(version);
  const savedTime = clockTime(newest.lastUpdated);
  return newest.author === ''
    ? text.bulk.undo.sinceAt(newest.version, savedTime)
    : text.bulk.undo.sinceBy(newest.version, byline(newest), savedTime);
}

function toReverted({ detail: _, ...target }: Target, answer: RecordVersion): Target {
  return { ...target, state: 'done', before: pickVersion(target), ...pickVersion(answer) };
}
