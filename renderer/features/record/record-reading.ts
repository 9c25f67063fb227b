import type { QueryClient } from '@tanstack/react-query';
import { isSameVersion } from '../../../core/api/same-version.ts';
import { blank, isUnstored, newLabel } from '../../../core/fhir/new-record.ts';
import type { Connection } from '../../platform/connection.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { toFailure, type Failure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import type { DraftKeeper } from './drafts/draft-keeper.ts';
import {
  isUnsaved,
  titleOf,
  type ReadOutcome,
  type RecordHead,
  type RecordState,
  type RecordTarget,
} from './record-state.ts';
import { toVersion, type Version } from '../../platform/record-version.ts';

/** What the requests are made with, and where their outcome is told. */
export interface Means extends Pick<Connection, 'client' | 'name'> {
  readonly announce: (message: string) => void;
  readonly drafts: DraftKeeper;
  readonly note: (isThere: boolean) => void;
  readonly person: string | undefined;
  readonly queries: QueryClient;
  readonly remote: Connection['remote'];
}

/** Whether the server holds the record no more: it never did, or it was deleted (FHIR R4 http.html#delete). */
export function isGone({ status }: Failure): boolean {
  return status === 404 || status === 410;
}

/** What the server holds; who asks while an answer is on its way waits for the same. */
export function fetchVersion({ client, name, queries }: Means, { type, id }: RecordHead): Promise<Version> {
  return queries.query({
    queryKey: ['record', name, type, id],
    queryFn: async () => toVersion(await client.read(type, id)),
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  });
}

/** What a reading comes to; never rejects. */
export async function ask(means: Means, head: RecordHead): Promise<ReadOutcome> {
  if (isUnstored(head.id)) return { type: 'loaded', version: toVersion({ text: blank(head.type) }) };
  try {
    return { type: 'loaded', version: await fetchVersion(means, head) };
  } catch (error) {
    return { type: 'unreadable', failure: toFailure(error) };
  }
}

/** Says what a reading came to. */
export function tell({ announce }: Means, head: RecordHead, outcome: ReadOutcome): void {
  if (outcome.type === 'unreadable') announce(text.record.unreadable(titleOf(head)));
  else if (isUnstored(head.id)) announce(text.record.begun(newLabel(head.type)));
  else announce(text.record.opened(outcome.version.summary.title || head.id, outcome.version.version));
}

/** Reads the record anew; what came of it is told only while its tab is in front, as words of another would mislead. */
export async function read(means: Means, target: RecordTarget, isInFront = () => true): Promise<void> {
  target.dispatch({ type: 'loading' });
  take(means, target, await ask(means, target.state), isInFront());
}

/** Puts what a reading came to into its tab. */
function take(means: Means, target: RecordTarget, outcome: ReadOutcome, isTold: boolean): void {
  const { state, modelPath, dispatch } = target;
  dispatch(outcome);
  if (outcome.type === 'loaded') replaceModelText(modelPath, outcome.version.text);
  if (isTold) tell(means, state, outcome);
}

/**
 * Looks whether the server still holds what a tab shows, which stays usable meanwhile; another text takes its place, and
 * behind one that was edited by then it is noted. `now` is the tab as it is, none once it is closed.
 */
export async function renew(
  means: Means,
  head: RecordHead,
  now: () => RecordTarget | undefined,
  isInFront: () => boolean,
): Promise<void> {
  const before = now()?.state.base;
  const outcome = await ask(means, head);
  const target = now();
  // What was saved meanwhile is newer than what was asked.
  if (!target || target.state.base !== before) return;
  if (isUnsaved(target.state) || shows(target.state, outcome)) note(means, target, outcome);
  else take(means, target, outcome, isInFront());
}

/** Whether a tab shows what a reading came to. */
function shows({ base, phase }: RecordState, outcome: ReadOutcome): boolean {
  if (outcome.type !== 'loaded' || !base || phase.name === 'unreadable') return false;
  return outcome.version.text === base.text && isSameVersion(outcome.version, base);
}

/** Looks what the server holds behind the text, which stays; where it does not say, the save will tell. */
export async function look(means: Means, target: RecordTarget): Promise<void> {
  if (!isUnstored(target.state.id)) note(means, target, await ask(means, target.state));
}

function note(means: Means, { dispatch }: RecordTarget, outcome: ReadOutcome): void {
  if (means.remote) means.note(outcome.type === 'loaded' || outcome.failure.status !== undefined);
  if (outcome.type === 'loaded') dispatch({ type: 'found', now: outcome.version });
  else if (isGone(outcome.failure)) dispatch({ type: 'found', now: undefined });
}

/** Puts the version that was read back, as an edit that can be undone; where the server holds another, that one. */
export function discard(means: Means, target: RecordTarget): void {
  const { state, modelPath, dispatch } = target;
  const { base, found } = state;
  if (found) void read(means, target);
  else if (base) {
    dispatch({ type: 'loaded', version: base });
    replaceModelText(modelPath, base.text);
    means.announce(text.record.discarded(titleOf(state)));
  }
}

/** Puts the tab's text away as a draft and opens the version that the server holds. */
export async function keepAsDraft(means: Means, target: RecordTarget): Promise<void> {
  const { announce, drafts } = means;
  if (!(await drafts.release(target.modelPath))) {
    announce(text.drafts.notKept);
    return;
  }
  await read(means, target);
  announce(text.drafts.kept(titleOf(target.state)));
}
