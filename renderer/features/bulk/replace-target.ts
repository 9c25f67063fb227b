import type { RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import { followOperations, nameItems, type FollowedOperations } from '../../../core/app/bulk-follow.ts';
import { examine, resultOf } from '../../../core/app/bulk-replace.ts';
import type { BulkOperation } from '../../../core/app/bulk.ts';
import { scan } from '../../../core/json/scan.ts';
import { text } from '../../ui/text.ts';
import { byline } from '../../ui/text/byline.ts';
import type { Target } from './bulk-state.ts';
import {
  pickVersion,
  isSameContent,
  lastVersions,
  getVersionId,
  formatMessage,
  type TargetVersion,
  type RunWork,
  type WorkOptions,
} from './target-work.ts';

/** Reads a record and tries the operations on it. */
export async function examineTarget(target: Target, options: WorkOptions): Promise<Target> {
  return (await readAndExamine(target, options)).now;
}

/** Sends the change if the record still has the examined version. Otherwise examines it again. */
export async function sendTarget(target: Target, options: WorkOptions): Promise<Target> {
  const ready = target.body === undefined ? await reexamine(target, options) : target;
  if (ready.state !== 'ready' || ready.body === undefined) return ready;
  const { type, id, etag, base } = ready;
  try {
    const { confirmed, provenance } = options;
    const from = { etag, text: base, confirmed, provenance };
    const write = ready.method === 'put' ? options.client.update : options.client.patch;
    const answer = await write(type, id, ready.body, from);
    if (isSameText(answer, ready)) return { ...ready, state: 'unchanged', detail: text.bulk.held };
    return { ...ready, state: 'done', before: pickVersion(ready), ...pickVersion(answer) };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 412) return handleConflict(ready, options);
    return { ...ready, state: 'failed', detail: formatMessage(error) };
  }
}

/** Completes an interrupted record: a write that arrived counts as written, otherwise it stays unchanged. */
async function completeTarget(target: Target, options: WorkOptions): Promise<Target> {
  const current = await readAndExamine(target, options);
  if (current.now.etag !== undefined && current.now.etag === target.etag) return target;
  return (await findOwnWrite(target, current, options)) ?? target;
}

/** Work of a replacement run. */
export const replacing: RunWork = { writeTarget: sendTarget, resolveInterrupted: completeTarget };

interface ExaminedRecord {
  readonly now: Target;
  /** Text of the record; undefined if it could not be read. */
  readonly text?: string;
}

async function readAndExamine(target: Target, options: WorkOptions): Promise<ExaminedRecord> {
  const { type, id, title } = target;
  const { client, examineOptions } = options;
  try {
    const record = await client.read(type, id);
    const identity = { type, id, title, ...pickVersion(record) };
    const resolved = await operationsFor(target, record, options);
    if ('missingPath' in resolved) {
      const detail = text.bulk.notFound(resolved.missingPath, record.version);
      return { now: { ...identity, state: 'cannot', detail }, text: record.text };
    }
    const outcome = await examine(record.text, type, resolved.operations, examineOptions);
    if (outcome.state !== 'ready') return { now: { ...identity, ...outcome }, text: record.text };
    return { now: { ...identity, ...outcome, base: record.text }, text: record.text };
  } catch (error) {
    return { now: { type, id, title, state: 'unread', detail: formatMessage(error) } };
  }
}

/**
 * Returns the operations for a version of a record. The dry run showed the items of an index; the operations follow
 * these items to their index in a later version.
 */
async function operationsFor(
  target: Target,
  record: RecordVersion,
  { client, operations }: WorkOptions,
): Promise<FollowedOperations> {
  if (target.state === 'waiting' || !nameItems(operations)) return { operations };
  const { type, id, base } = target;
  const examinedVersion = getVersionId(getExaminedVersion(target));
  if (examinedVersion !== undefined && examinedVersion === getVersionId(record)) return { operations };
  if (target.before === undefined && base !== undefined) {
    return followOperations(operations, base, record.text);
  }
  // A server without versions can't show the examined version.
  if (examinedVersion === undefined) return { missingPath: operations.flatMap(pathOf)[0] ?? '' };
  return followOperations(
    operations,
    (await client.readVersion(type, id, examinedVersion)).text,
    record.text,
  );
}

function pathOf(operation: BulkOperation): readonly string[] {
  return operation.kind === 'fix' || !nameItems([operation]) ? [] : [operation.path];
}

/** Returns the version that the dry run examined. After a conflict it is stored as the version before. */
function getExaminedVersion(target: Target): TargetVersion {
  return target.before ?? pickVersion(target);
}

/** Sends a record of a resumed run only if it still has the examined version. */
async function reexamine(target: Target, options: WorkOptions): Promise<Target> {
  const current = await readAndExamine(target, options);
  const { now } = current;
  if (now.state === 'unread') return { ...target, state: 'failed', detail: now.detail ?? '' };
  if (now.etag !== undefined && now.etag === target.etag) return now;
  return (await findOwnWrite(target, current, options)) ?? toChangedTarget(now, target, options);
}

/** Handles a write of somebody else: overwrites nothing and shows the change that would apply now. */
async function handleConflict(target: Target, options: WorkOptions): Promise<Target> {
  const current = await readAndExamine(target, options);
  return (await findOwnWrite(target, current, options)) ?? toChangedTarget(current.now, target, options);
}

/** Returns the record as done if the current text is the result of this run: only the response was lost. */
async function findOwnWrite(
  target: Target,
  current: ExaminedRecord,
  options: WorkOptions,
): Promise<Target | undefined> {
  const version = getVersionId(target);
  if (current.text === undefined || version === undefined) return undefined;
  try {
    const { type, id, title } = target;
    const baseVersion = await options.client.readVersion(type, id, version);
    const resolved = await operationsFor(target, baseVersion, options);
    if ('missingPath' in resolved) return undefined;
    const rebuilt = await examine(baseVersion.text, type, resolved.operations, options.examineOptions);
    if (rebuilt.state !== 'ready' || !isSameContent(resultOf(baseVersion.text, type, rebuilt), current.text))
      return undefined;
    const { changes, warnings } = rebuilt;
    const versions = { before: pickVersion(target), ...pickVersion(current.now) };
    return { type, id, title, changes, warnings, state: 'done', ...versions };
  } catch (error) {
    // A version that cannot be read proves nothing.
    formatMessage(error);
    return undefined;
  }
}

/** Marks a record as changed, with the examined version so that a retry finds the same items. */
async function toChangedTarget(now: Target, target: Target, options: WorkOptions): Promise<Target> {
  if (now.state !== 'ready') return now;
  const [latest] = await lastVersions(target, options);
  const isKnown = latest !== undefined && latest.version === now.version && latest.author !== '';
  const detail = isKnown
    ? text.bulk.meanwhileBy(latest.version, byline(latest))
    : text.bulk.meanwhile(now.version);
  return { ...now, state: 'changed', detail, before: getExaminedVersion(target) };
}

/** Returns true if the response shows that the change had no effect. */
function isSameText(answer: RecordVersion, { etag, base = '' }: Target): boolean {
  return isSameVersion({ ...answer, root: scan(answer.text).root }, { etag, root: scan(base).root });
}
