import type { RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import { isSameVersion } from '../../../core/api/same-version.ts';
import { followOperations, nameItems, type FollowedOperations } from '../../../core/app/bulk-follow.ts';
import { examine, resultOf } from '../../../core/app/bulk-replace.ts';
import type { BulkOperation } from '../../../core/app/bulk.ts';
import { scan } from '../../../core/json/scan.ts';
import { text } from '../../ui/text.ts';
import type { Target } from './bulk-state.ts';
import {
  heldOf,
  isSameContent,
  nameOf,
  sentenceOf,
  type Held,
  type RunWork,
  type WorkOptions,
} from './target-work.ts';

/** Reads a record and tries the operations on it. */
export async function examineTarget(target: Target, options: WorkOptions): Promise<Target> {
  return (await look(target, options)).now;
}

/** Sends a record's change where it is still the version that was looked at, and looks again where it is not. */
export async function sendTarget(target: Target, options: WorkOptions): Promise<Target> {
  const ready = target.body === undefined ? await lookAgain(target, options) : target;
  if (ready.state !== 'ready' || ready.body === undefined) return ready;
  const { type, id, etag, base } = ready;
  try {
    const { confirmed, provenance } = options;
    const from = { etag, text: base, confirmed, provenance };
    const write = ready.method === 'put' ? options.client.update : options.client.patch;
    const answer = await write(type, id, ready.body, from);
    if (isSameText(answer, ready)) return { ...ready, state: 'unchanged', detail: text.bulk.held };
    return { ...ready, state: 'done', before: heldOf(ready), ...heldOf(answer) };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 412) return changedMeanwhile(ready, options);
    return { ...ready, state: 'failed', detail: sentenceOf(error) };
  }
}

/** Of a run that was interrupted: what was written counts as written, the rest is left as it was. */
async function settleTarget(target: Target, options: WorkOptions): Promise<Target> {
  const found = await look(target, options);
  if (found.now.etag !== undefined && found.now.etag === target.etag) return target;
  return (await ownWrite(target, found, options)) ?? target;
}

/** How a run of operations works on its records. */
export const replacing: RunWork = { send: sendTarget, settle: settleTarget };

interface Look {
  readonly now: Target;
  /** The record's text; absent where it was not read. */
  readonly text?: string;
}

async function look(target: Target, options: WorkOptions): Promise<Look> {
  const { type, id, title } = target;
  const { client, judge } = options;
  try {
    const record = await client.read(type, id);
    const seen = { ...{ type, id, title }, ...heldOf(record) };
    const followed = await operationsFor(target, record, options);
    if ('gone' in followed) {
      const detail = text.bulk.notFound(followed.gone, record.version);
      return { now: { ...seen, state: 'cannot', detail }, text: record.text };
    }
    const examined = await examine(record.text, type, followed.operations, judge);
    if (examined.state !== 'ready') return { now: { ...seen, ...examined }, text: record.text };
    return { now: { ...seen, ...examined, base: record.text }, text: record.text };
  } catch (error) {
    return { now: { type, id, title, state: 'unread', detail: sentenceOf(error) } };
  }
}

/**
 * Returns the operations for a version of a record. The dry run showed which items they are about: an index names the same
 * items in a later version, wherever they stand there.
 */
async function operationsFor(
  target: Target,
  record: RecordVersion,
  { client, operations }: WorkOptions,
): Promise<FollowedOperations> {
  if (target.state === 'waiting' || !nameItems(operations)) return { operations };
  const { type, id, base } = target;
  const first = nameOf(firstSeen(target));
  if (first !== undefined && first === nameOf(record)) return { operations };
  if (target.before === undefined && base !== undefined) {
    return followOperations(operations, base, record.text);
  }
  // A server without versions cannot show again what was seen.
  if (first === undefined) return { gone: operations.flatMap(pathOf)[0] ?? '' };
  return followOperations(operations, (await client.readVersion(type, id, first)).text, record.text);
}

function pathOf(operation: BulkOperation): readonly string[] {
  return operation.kind === 'fix' || !nameItems([operation]) ? [] : [operation.path];
}

/** Returns the version that the dry run saw; of what others changed meanwhile it is kept as the version before. */
function firstSeen(target: Target): Held {
  return target.before ?? heldOf(target);
}

/** A record of a run that was taken up again: sent only as the version that the dry run saw. */
async function lookAgain(target: Target, options: WorkOptions): Promise<Target> {
  const found = await look(target, options);
  const { now } = found;
  if (now.state === 'unread') return { ...target, state: 'failed', detail: now.detail ?? '' };
  if (now.etag !== undefined && now.etag === target.etag) return now;
  return (await ownWrite(target, found, options)) ?? meanwhile(now, target);
}

/** Somebody else wrote first: nothing is overwritten, and what the change would be now is there to be seen. */
async function changedMeanwhile(target: Target, options: WorkOptions): Promise<Target> {
  const found = await look(target, options);
  return (await ownWrite(target, found, options)) ?? meanwhile(found.now, target);
}

/** The record as done, where what stands is what the run made of the version that it saw: only the answer was lost. */
async function ownWrite(seen: Target, found: Look, options: WorkOptions): Promise<Target | undefined> {
  const version = nameOf(seen);
  if (found.text === undefined || version === undefined) return undefined;
  try {
    const { type, id, title } = seen;
    const was = await options.client.readVersion(type, id, version);
    const followed = await operationsFor(seen, was, options);
    if ('gone' in followed) return undefined;
    const made = await examine(was.text, type, followed.operations, options.judge);
    if (made.state !== 'ready' || !isSameContent(resultOf(was.text, type, made), found.text))
      return undefined;
    const { changes, warnings } = made;
    const held = { before: heldOf(seen), ...heldOf(found.now) };
    return { ...{ type, id, title, changes, warnings }, state: 'done', ...held };
  } catch (error) {
    // A version that cannot be read proves nothing.
    sentenceOf(error);
    return undefined;
  }
}

/** The record as one that is not sent, with the version that the dry run saw: a retry finds the same items by it. */
function meanwhile(now: Target, target: Target): Target {
  if (now.state !== 'ready') return now;
  const detail = text.bulk.meanwhile(now.version);
  return { ...now, state: 'changed', detail, before: firstSeen(target) };
}

/** Whether a change made none, as the server's own version tells. */
function isSameText(answer: RecordVersion, { etag, base = '' }: Target): boolean {
  return isSameVersion({ ...answer, root: scan(answer.text).root }, { etag, root: scan(base).root });
}
