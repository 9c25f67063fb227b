import { useQueryClient } from '@tanstack/react-query';
import { use, useMemo } from 'react';
import { useConnection } from '../../platform/connection.ts';
import { useReportReachability } from '../../platform/live.ts';
import { usePerson, waitForCurrentPerson } from '../../platform/people.ts';
import { holdsSent, toVersion, type Version } from '../../platform/record-version.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { DraftsContext } from './drafts/drafts-context.ts';
import {
  fetchOutcome,
  discardChanges,
  keepAsDraft,
  checkServerVersion,
  loadRecord,
  refreshRecord,
  announceOutcome,
  fetchVersion,
  isGone,
  type RecordContext,
} from './record-reading.ts';
import type { RecordTarget, RecordState } from './record-state.ts';
import { ApiFailure, isTokenRejected, UnconfirmedWriteError } from '../../../core/api/failure.ts';
import { provenanceHeader } from '../../../core/api/provenance.ts';
import { isSameVersion, type LoadedVersion } from '../../../core/api/same-version.ts';
import { emptyRecordText, isNewRecord } from '../../../core/fhir/new-record.ts';
import { definitionOf } from '../../../core/fhir/resource.ts';
import { member, stringMember, formatNode } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { createLazyModule } from '../../ui/lazy-module.ts';
import type * as MergeRecordNamespace from './conflict/merge-record.ts';
import { requestOf } from './review/save-request.ts';

export type { RecordTarget };

/** Returns the actions of a record tab. Each dispatches its result to the tab; their promises never reject. */
export function useRecordRequests() {
  const { client, name: connectionName, remote } = useConnection();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const drafts = use(DraftsContext);
  const reportReachability = useReportReachability();
  const person = usePerson()?.name;
  return useMemo(() => {
    const context: RecordContext = {
      announce,
      client,
      drafts,
      connectionName,
      reportReachability,
      person,
      queryClient,
      remote,
    };
    return {
      fetchOutcome: fetchOutcome.bind(undefined, context),
      announceOutcome: announceOutcome.bind(undefined, context),
      loadRecord: loadRecord.bind(undefined, context),
      refreshRecord: refreshRecord.bind(undefined, context),
      checkServerVersion: checkServerVersion.bind(undefined, context),
      discardChanges: discardChanges.bind(undefined, context),
      saveRecord: saveRecord.bind(undefined, context),
      compareVersions: compareVersions.bind(undefined, context),
      mergeVersions: mergeVersions.bind(undefined, context),
      keepAsDraft: keepAsDraft.bind(undefined, context),
      applySavedVersion: applySavedVersion.bind(undefined, context),
    };
  }, [announce, client, drafts, connectionName, reportReachability, person, queryClient, remote]);
}

export type RecordRequests = ReturnType<typeof useRecordRequests>;

/** A record under review, and the version that its text is based on. */
export interface RecordReview {
  readonly target: RecordTarget;
  readonly base: Version;
  readonly requests: RecordRequests;
}

/** Saves the text. On 412, loads the current version and merges. */
async function saveRecord(context: RecordContext, target: RecordTarget): Promise<void> {
  const { client, remote, person } = context;
  const { state, dispatch } = target;
  const { type, id, base } = state;
  const { method, body, headers } = requestOf(state, person);
  const provenance = headers.find(([header]) => header === provenanceHeader)?.[1];
  const from = { etag: base?.etag, text: base?.text, provenance, ...consentOf(remote) };
  dispatch({ type: 'sent' });
  try {
    await waitForCurrentPerson();
    const operation = method === 'PUT' ? 'update' : 'patch';
    const response = await (method === 'POST'
      ? client.create(type, body, from)
      : client[operation](type, id, body, from));
    applySavedVersion(context, target, toVersion(response), method === 'POST' ? undefined : base);
  } catch (error) {
    await handleRejection(context, target, error);
  }
}

/** Applies a saved version to the tab and refreshes tables and counts. */
function applySavedVersion(
  context: RecordContext,
  target: RecordTarget,
  version: Version,
  previousVersion?: LoadedVersion,
): void {
  const { announce, queryClient } = context;
  const { state, dispatch } = target;
  dispatch({ type: 'saved', version });
  const isUnchanged = previousVersion !== undefined && isSameVersion(version, previousVersion);
  if (isNewRecord(state.id)) announce(text.record.stored(version.summary.id));
  else
    announce(isUnchanged ? text.record.nothingToSave(version.version) : text.record.saved(version.version));
  for (const key of ['search', 'overview', 'quality'])
    void queryClient.invalidateQueries({ queryKey: [key] });
}

/** Handles a failed save: no response, a newer version, or a rejection. */
async function handleRejection(context: RecordContext, target: RecordTarget, error: unknown): Promise<void> {
  const { announce } = context;
  if (!(error instanceof ApiFailure)) {
    target.dispatch({ type: 'unanswered' });
    announce(error instanceof UnconfirmedWriteError ? error.message : text.review.unconfirmedTitle);
    return;
  }
  if (isTokenRejected(error)) session.requireToken();
  target.dispatch({ type: 'refused', failure: toFailure(error) });
  if (error.status === 412) await compareVersions(context, target);
  else announce(text.review.failedTitle);
}

/**
 * Finds a new record whose create request got no response: the stored version with its text, otherwise the
 * base.
 */
async function findStored(
  { client }: RecordContext,
  { type, base, text: sentText }: RecordState,
): Promise<Version> {
  const subject = stringMember(member(scan(sentText).root, definitionOf(type).summary.subject), 'reference');
  const { records } = await client.search(type, [
    ...(subject === undefined ? [] : [['subject', subject] as const]),
    ['_sort', '-_lastUpdated'],
  ]);
  const versions = records.map(({ text: recordText }) => toVersion({ text: recordText }));
  return (
    versions.find((candidate) => holdsSent(scan(sentText).root, candidate)) ??
    base ??
    toVersion({ text: emptyRecordText(type) })
  );
}

/** Not part of the page's start: it knows all types of FHIR. The record tab contains it, so it is already there. */
const mergeModule = createLazyModule(() => import('./conflict/merge-record.ts'));

/** Fetches the current version, to learn whether a save arrived or to merge both texts. */
async function compareVersions(context: RecordContext, target: RecordTarget): Promise<void> {
  const { state, dispatch } = target;
  try {
    const fetchTheirs = isNewRecord(state.id) ? findStored : fetchVersion;
    // Both before the comparison, so that nothing is typed between it and the merge.
    const [theirs, mergeCode] = await Promise.all([
      fetchTheirs(context, state),
      mergeModule.load().catch(() => undefined),
    ]);
    const isUnconfirmed = state.phase.name === 'unconfirmed';
    if (isUnconfirmed && holdsSent(scan(state.text).root, theirs)) {
      applySavedVersion(context, target, theirs);
      return;
    }
    dispatch({ type: 'compared', theirs });
    if (!isUnconfirmed || !state.base || !isSameVersion(theirs, state.base))
      mergeOrAsk(context, target, theirs, mergeCode);
  } catch (error) {
    const failure = toFailure(error);
    if (isGone(failure)) dispatch({ type: 'refused', failure });
    context.announce(failure.sentences.join(' '));
  }
}

/** Merges the text with the current version, like a save that got 412. */
async function mergeVersions(context: RecordContext, target: RecordTarget): Promise<void> {
  target.dispatch({ type: 'refused', failure: { status: 412, sentences: [] } });
  await compareVersions(context, target);
}

/** Merges both texts if their changes don't overlap and the merge could be loaded. Otherwise the user chooses. */
function mergeOrAsk(
  { announce }: RecordContext,
  { state, dispatch }: RecordTarget,
  theirs: Version,
  mergeCode: typeof MergeRecordNamespace | undefined,
): void {
  const { base, text: ours } = state;
  const mergeResult = base && mergeCode?.mergeOf(base, ours, theirs);
  if (!mergeCode || !mergeResult?.disjoint) {
    announce(text.conflict.found(theirs.version));
    return;
  }
  const result = formatNode(mergeResult.resolve());
  const rebase = mergeCode.rebaseOf('merged', mergeResult, theirs);
  dispatch({ type: 'rebased', onto: theirs, text: result, rebase });
  const isAlreadySaved = mergeResult.rows.every(({ side }) => side === 'theirs' || side === 'same');
  announce(isAlreadySaved ? text.review.alreadyThere(theirs.version) : text.conflict.merged(theirs.version));
}
