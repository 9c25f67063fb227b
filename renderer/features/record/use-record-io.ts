import { useQueryClient } from '@tanstack/react-query';
import { use, useCallback, useMemo } from 'react';
import type { RecordVersion } from '../../../core/api/client.ts';
import { ApiFailure, isTokenRefused, Unconfirmed } from '../../../core/api/failure.ts';
import { provenanceHeader } from '../../../core/api/provenance.ts';
import { blank, isUnstored, newLabel } from '../../../core/fhir/new-record.ts';
import { isSameVersion, type HeldVersion } from '../../../core/api/same-version.ts';
import { definitionOf } from '../../../core/fhir/resource.ts';
import { member, stringMember } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { useConnection } from '../../platform/connection.ts';
import { useNoteLink } from '../../platform/live.ts';
import { modelAt } from '../../platform/monaco-loader.ts';
import { seated, usePerson } from '../../platform/people.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { session } from '../../platform/session.ts';
import { consentOf } from '../../platform/write-consent.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { mergedText, mergeOf, rebaseOf } from './conflict/merge-record.ts';
import { isGone } from './gone.ts';
import { DraftsContext } from './drafts/drafts-context.ts';
import {
  titleOf,
  type ReadOutcome,
  type RecordAction,
  type RecordHead,
  type RecordState,
  type Version,
} from './record-state.ts';
import { holdsSent, toVersion } from './record-version.ts';
import { requestOf } from './review/save-request.ts';

type RecordDispatch = (action: RecordAction) => void;

/** What a tab is to the requests made for it: its state, where its text lives, and where answers go. */
export interface RecordTarget {
  readonly state: RecordState;
  readonly modelPath: string;
  readonly dispatch: RecordDispatch;
}

/** The requests of a record tab. Each reports by dispatching; none rejects. */
export function useRecordIo() {
  const { client, name, remote } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const drafts = use(DraftsContext);
  const note = useNoteLink();
  const person = usePerson()?.name;

  /** Takes an answer over as the tab's text, and lets tables and counts follow. */
  const takeSaved = useCallback(
    ({ state, modelPath, dispatch }: RecordTarget, answer: RecordVersion, before?: HeldVersion) => {
      const version = toVersion(answer);
      dispatch({ type: 'saved', version });
      // What was typed since the text was sent stays, in the editor as in the state.
      if ((modelAt(modelPath)?.getValue() ?? state.text) === state.text) {
        replaceModelText(modelPath, version.text);
      }
      const same = before !== undefined && isSameVersion(version, before);
      if (isUnstored(state.id)) announce(text.record.stored(version.summary.id));
      else announce(same ? text.record.nothingToSave(version.version) : text.record.saved(version.version));
      void queries.invalidateQueries({ queryKey: ['search'] });
      void queries.invalidateQueries({ queryKey: ['overview'] });
      void queries.invalidateQueries({ queryKey: ['quality'] });
    },
    [announce, queries],
  );

  return useMemo(() => {
    /** What the server holds; who asks while an answer is on its way waits for the same. */
    const fetchVersion = ({ type, id }: RecordHead) =>
      queries.query({
        queryKey: ['record', name, type, id],
        queryFn: async () => toVersion(await client.read(type, id)),
        staleTime: 0,
        gcTime: 0,
        structuralSharing: false,
      });

    /** What a reading comes to; never rejects. */
    async function ask(head: RecordHead): Promise<ReadOutcome> {
      if (isUnstored(head.id)) return { type: 'loaded', version: toVersion({ text: blank(head.type) }) };
      try {
        return { type: 'loaded', version: await fetchVersion(head) };
      } catch (error) {
        return { type: 'unreadable', failure: toFailure(error) };
      }
    }

    function tell(head: RecordHead, outcome: ReadOutcome) {
      if (outcome.type === 'unreadable') announce(text.record.unreadable(titleOf(head)));
      else if (isUnstored(head.id)) announce(text.record.begun(newLabel(head.type)));
      else announce(text.record.opened(outcome.version.summary.title || head.id, outcome.version.version));
    }

    /** Reads the record anew; what came of it is told only while its tab is in front, as words of another would mislead. */
    async function read({ state, modelPath, dispatch }: RecordTarget, isInFront = () => true) {
      dispatch({ type: 'loading' });
      const outcome = await ask(state);
      dispatch(outcome);
      if (outcome.type === 'loaded') replaceModelText(modelPath, outcome.version.text);
      if (isInFront()) tell(state, outcome);
    }

    /** Looks what the server holds behind the text, which stays; where it does not say, the save will tell. */
    async function look({ state, dispatch }: RecordTarget) {
      if (isUnstored(state.id)) return;
      const outcome = await ask(state);
      if (remote) note(outcome.type === 'loaded' || outcome.failure.status !== undefined);
      if (outcome.type === 'loaded') dispatch({ type: 'found', now: outcome.version });
      else if (isGone(outcome.failure)) dispatch({ type: 'found', now: undefined });
    }

    /** Puts the version that was read back, as an edit that can be undone; where the server holds another, that one. */
    function discard(target: RecordTarget) {
      const { state, modelPath, dispatch } = target;
      const { base, found } = state;
      if (found) void read(target);
      else if (base) {
        dispatch({ type: 'loaded', version: base });
        replaceModelText(modelPath, base.text);
        announce(text.record.discarded(titleOf(state)));
      }
    }

    async function save(target: RecordTarget) {
      const { state, dispatch } = target;
      const { type, id, base } = state;
      const { method, body, headers } = requestOf(state, person);
      const provenance = headers.find(([header]) => header === provenanceHeader)?.[1];
      const from = { etag: base?.etag, text: base?.text, provenance, ...consentOf(remote) };
      dispatch({ type: 'sent' });
      try {
        await seated();
        if (method === 'POST') takeSaved(target, await client.create(type, body, from));
        else if (method === 'PUT') takeSaved(target, await client.update(type, id, body, from), base);
        else takeSaved(target, await client.patch(type, id, body, from), base);
      } catch (error) {
        if (!(error instanceof ApiFailure)) {
          dispatch({ type: 'unanswered' });
          announce(error instanceof Unconfirmed ? error.message : text.review.unconfirmedTitle);
          return;
        }
        if (isTokenRefused(error)) session.requireToken();
        const failure = toFailure(error);
        dispatch({ type: 'refused', failure });
        if (error.status === 412) await compare(target);
        else announce(text.review.failedTitle);
      }
    }

    /** What became of a new record whose answer was lost: the version that holds its text, else what it began from. */
    async function findStored({ type, base, text: sent }: RecordState): Promise<Version> {
      const subject = stringMember(member(scan(sent).root, definitionOf(type).summary.subject), 'reference');
      const { records } = await client.search(type, [
        ...(subject === undefined ? [] : [['subject', subject] as const]),
        ['_sort', '-_lastUpdated'],
      ]);
      const versions = records.map(({ text: held }) => toVersion({ text: held }));
      return versions.find((held) => holdsSent(sent, held)) ?? base ?? toVersion({ text: blank(type) });
    }

    /** Reads what the server holds now: to learn whether a save arrived, or to bring both texts together. */
    async function compare(target: RecordTarget) {
      const { state, dispatch } = target;
      try {
        const theirs = isUnstored(state.id) ? await findStored(state) : await fetchVersion(state);
        const unconfirmed = state.phase.name === 'unconfirmed';
        if (unconfirmed && holdsSent(state.text, theirs)) {
          const { version, etag } = theirs;
          takeSaved(target, {
            text: theirs.text,
            ...(version !== undefined && { version }),
            ...(etag !== undefined && { etag }),
          });
          return;
        }
        dispatch({ type: 'compared', theirs });
        if (!unconfirmed || !state.base || !isSameVersion(theirs, state.base)) meet(target, theirs);
      } catch (error) {
        const failure = toFailure(error);
        if (isGone(failure)) dispatch({ type: 'refused', failure });
        announce(failure.sentences.join(' '));
      }
    }

    /** Brings the text together with what the server holds now, as a save that was refused for it does. */
    async function merge(target: RecordTarget) {
      target.dispatch({ type: 'refused', failure: { status: 412, sentences: [] } });
      await compare(target);
    }

    /** Brings both texts together where no change of one touches one of the other; else the steward chooses. */
    function meet({ state, modelPath, dispatch }: RecordTarget, theirs: Version) {
      const { base, text: mine } = state;
      const merged = base && mergeOf(base, mine, theirs);
      if (!merged?.disjoint) {
        announce(text.conflict.found(theirs.version));
        return;
      }
      const result = mergedText(merged);
      const rebase = rebaseOf('merged', merged, theirs);
      dispatch({ type: 'rebased', onto: theirs, text: result, rebase });
      replaceModelText(modelPath, result);
      const mineIsThere = merged.rows.every(({ by }) => by === 'theirs' || by === 'same');
      announce(mineIsThere ? text.review.alreadyThere(theirs.version) : text.conflict.merged(theirs.version));
    }

    /** Puts the tab's text away as a draft and opens the version that the server holds. */
    async function keepAsDraft(target: RecordTarget) {
      const { state, modelPath } = target;
      if (!(await drafts.release(modelPath))) {
        announce(text.drafts.notKept);
        return;
      }
      await read(target);
      announce(text.drafts.kept(titleOf(state)));
    }

    return { ask, tell, read, look, discard, save, compare, merge, keepAsDraft, takeSaved };
  }, [announce, client, drafts, name, note, person, queries, remote, takeSaved]);
}

export type RecordIo = ReturnType<typeof useRecordIo>;
