import type { QueryClient } from '@tanstack/react-query';
import { isSameVersion } from '../../../core/api/same-version.ts';
import { emptyRecordText, isNewRecord } from '../../../core/fhir/new-record.ts';
import type { Connection } from '../../platform/connection.ts';
import { toFailure, type Failure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import type { DraftAutosave } from './drafts/draft-autosave.ts';
import {
  isUnsaved,
  titleOf,
  type ReadOutcome,
  type RecordHead,
  type RecordState,
  type RecordTarget,
} from './record-state.ts';
import { toVersion, type Version } from '../../platform/record-version.ts';

export interface RecordContext extends Pick<Connection, 'client'> {
  readonly remote: Connection['remote'];
  readonly connectionName: string;
  readonly announce: (message: string) => void;
  readonly drafts: DraftAutosave;
  readonly reportReachability: (isThere: boolean) => void;
  readonly person: string | undefined;
  readonly queryClient: QueryClient;
}

/** Returns true if the record does not exist or was deleted (FHIR R4 http.html#delete). */
export function isGone({ status }: Failure): boolean {
  return status === 404 || status === 410;
}

/** Fetches the current version. Concurrent callers share one request. */
export function fetchVersion(
  { client, connectionName, queryClient }: RecordContext,
  { type, id }: RecordHead,
): Promise<Version> {
  return queryClient.query({
    queryKey: ['record', connectionName, type, id],
    queryFn: async () => toVersion(await client.read(type, id)),
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  });
}

/** Fetches the record and returns the result. Never rejects. */
export async function fetchOutcome(context: RecordContext, recordHead: RecordHead): Promise<ReadOutcome> {
  if (isNewRecord(recordHead.id))
    return { type: 'loaded', version: toVersion({ text: emptyRecordText(recordHead.type) }) };
  try {
    return { type: 'loaded', version: await fetchVersion(context, recordHead) };
  } catch (error) {
    return { type: 'unreadable', failure: toFailure(error) };
  }
}

/** Announces the result of a read. */
export function announceOutcome(
  { announce }: RecordContext,
  recordHead: RecordHead,
  outcome: ReadOutcome,
): void {
  if (outcome.type === 'unreadable') announce(text.record.unreadable(titleOf(recordHead)));
  else if (isNewRecord(recordHead.id))
    announce(text.record.notSavedYet(text.types.newRecord(recordHead.type)));
  else announce(text.record.opened(outcome.version.summary.title || recordHead.id, outcome.version.version));
}

/**
 * Reads the record again. The result is announced only while its tab is active, so that it is not mistaken
 * for another record.
 */
export async function loadRecord(
  context: RecordContext,
  target: RecordTarget,
  isActive = () => true,
): Promise<void> {
  target.dispatch({ type: 'loading' });
  const outcome = await fetchOutcome(context, target.state);
  target.dispatch(outcome);
  if (isActive()) announceOutcome(context, target.state, outcome);
}

/**
 * Checks in the background whether a tab shows the current version, and replaces an outdated text. If the
 * text was edited meanwhile, only the newer version is recorded.
 *
 * @param getTarget - Returns the current tab; undefined after it was closed.
 */
export async function refreshRecord(
  context: RecordContext,
  recordHead: RecordHead,
  getTarget: () => RecordTarget | undefined,
  isActive: () => boolean,
): Promise<void> {
  const previousBase = getTarget()?.state.base;
  const outcome = await fetchOutcome(context, recordHead);
  const target = getTarget();
  // A version saved meanwhile is newer than the response.
  if (!target || target.state.base !== previousBase) return;
  if (!isUnsaved(target.state) && !isShown(target.state, outcome)) {
    target.dispatch(outcome);
    if (isActive()) announceOutcome(context, target.state, outcome);
  } else recordServerVersion(context, target, outcome);
}

/** Returns true if a tab shows the result of a read. */
function isShown({ base, phase }: RecordState, outcome: ReadOutcome): boolean {
  if (outcome.type !== 'loaded' || !base || phase.name === 'unreadable') return false;
  return outcome.version.text === base.text && isSameVersion(outcome.version, base);
}

/**
 * Checks the version on the server without changing the text. A failure is ignored, because the save reports
 * it.
 */
export async function checkServerVersion(context: RecordContext, target: RecordTarget): Promise<void> {
  if (!isNewRecord(target.state.id))
    recordServerVersion(context, target, await fetchOutcome(context, target.state));
}

function recordServerVersion(context: RecordContext, { dispatch }: RecordTarget, outcome: ReadOutcome): void {
  if (context.remote)
    context.reportReachability(outcome.type === 'loaded' || outcome.failure.status !== undefined);
  if (outcome.type === 'loaded') dispatch({ type: 'found', now: outcome.version });
  else if (isGone(outcome.failure)) dispatch({ type: 'found', now: undefined });
}

/**
 * Reverts to the version that was read, as an edit that can be undone. Reads again if the server has a newer
 * version.
 */
export function discardChanges(context: RecordContext, target: RecordTarget): void {
  const { state, dispatch } = target;
  const { base, serverVersion } = state;
  if (serverVersion) void loadRecord(context, target);
  else if (base) {
    dispatch({ type: 'loaded', version: base });
    context.announce(text.record.discarded(titleOf(state)));
  }
}

/** Stores the tab's text as a draft and opens the current version. */
export async function keepAsDraft(context: RecordContext, target: RecordTarget): Promise<void> {
  const { announce, drafts } = context;
  if (!(await drafts.releaseDraft(target.modelPath))) {
    announce(text.drafts.notKept);
    return;
  }
  await loadRecord(context, target);
  announce(text.drafts.kept(titleOf(target.state)));
}
