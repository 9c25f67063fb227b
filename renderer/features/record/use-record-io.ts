import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { ApiFailure, type RecordVersion } from '../../../core/api/client.ts';
import { useConnection } from '../../platform/connection.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { session } from '../../platform/session.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { titleOf, type RecordAction, type RecordState } from './record-state.ts';
import { holdsSent, toVersion } from './record-version.ts';

export type RecordDispatch = (action: RecordAction) => void;

/** What a tab is to the requests made for it: its state, where its text lives, and where answers go. */
export interface RecordTarget {
  readonly state: RecordState;
  readonly modelPath: string;
  readonly dispatch: RecordDispatch;
}

/** The requests of a record tab. Each reports by dispatching; none rejects. */
export function useRecordIo() {
  const { client, name } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();

  /** Takes an answer over as the tab's text, and lets tables and counts follow. */
  const takeSaved = useCallback(
    (target: RecordTarget, answer: RecordVersion, before?: number) => {
      const version = toVersion(answer);
      target.dispatch({ type: 'saved', version });
      replaceModelText(target.modelPath, version.text);
      const same = before !== undefined && version.version === before;
      announce(same ? text.record.nothingToSave(before) : text.record.saved(version.version));
      void queries.invalidateQueries({ queryKey: ['search'] });
      void queries.invalidateQueries({ queryKey: ['overview'] });
    },
    [announce, queries],
  );

  return useMemo(() => {
    const fetchVersion = async ({ type, id }: RecordState) =>
      toVersion(
        await queries.query({
          queryKey: ['record', name, type, id],
          queryFn: () => client.read(type, id),
          staleTime: 0,
          gcTime: 0,
        }),
      );

    async function read({ state, modelPath, dispatch }: RecordTarget) {
      dispatch({ type: 'loading' });
      try {
        const version = await fetchVersion(state);
        dispatch({ type: 'loaded', version });
        replaceModelText(modelPath, version.text);
        announce(text.record.opened(version.summary.title || state.id, version.version));
      } catch (error) {
        dispatch({ type: 'unreadable', failure: toFailure(error) });
        announce(text.record.unreadable(titleOf(state)));
      }
    }

    async function save(target: RecordTarget) {
      const { state, dispatch } = target;
      dispatch({ type: 'sent' });
      try {
        const answer = await client.update(state.type, state.id, state.text, state.base?.version);
        takeSaved(target, answer, state.base?.version);
      } catch (error) {
        if (!(error instanceof ApiFailure)) {
          dispatch({ type: 'unanswered' });
          announce(text.review.unconfirmedTitle);
          return;
        }
        if (error.status === 401) session.requireToken();
        const failure = toFailure(error);
        dispatch({ type: 'refused', failure });
        announce(
          error.status === 412 ? text.review.conflictTitle(failure.currentVersion) : text.review.failedTitle,
        );
      }
    }

    /** Reads what the server holds now, to show beside the user's text or to learn whether a save arrived. */
    async function compare(target: RecordTarget) {
      const { state, dispatch } = target;
      try {
        const theirs = await fetchVersion(state);
        if (state.phase.name === 'unconfirmed' && holdsSent(state.text, theirs)) {
          takeSaved(target, {
            text: theirs.text,
            ...(theirs.version !== undefined && { version: theirs.version }),
          });
          return;
        }
        dispatch({ type: 'compared', theirs });
      } catch (error) {
        announce(toFailure(error).sentences.join(' '));
      }
    }

    return { read, save, compare, takeSaved };
  }, [announce, client, name, queries, takeSaved]);
}

export type RecordIo = ReturnType<typeof useRecordIo>;
