import { useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useMemo, useSyncExternalStore } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { Draft, DraftList, type DraftSummary } from '../../../../core/app/drafts.ts';
import { useConnection } from '../../../platform/connection.ts';
import { toVersion, type Version } from '../../../platform/record-version.ts';
import type { RecordTarget } from '../record-state.ts';
import { DraftsContext } from './drafts-context.ts';

export const draftsKey = ['drafts'];

/**
 * Returns the drafts that no tab of this window writes, latest first. They are requested on mount, or once
 * `ready` is true.
 */
export function useOfferedDrafts(ready = true): readonly DraftSummary[] {
  const { client } = useConnection();
  const autosave = use(DraftsContext);
  const { data } = useQuery({
    queryKey: draftsKey,
    queryFn: async (): Promise<readonly DraftSummary[]> =>
      narrow(await client.app('GET', '/drafts'), DraftList),
    enabled: ready,
  });
  const ownIds = useSyncExternalStore(autosave.subscribe, () =>
    (data ?? [])
      .filter(({ id }) => autosave.ownsDraft(id))
      .map(({ id }) => id)
      .join(' '),
  );
  return useMemo(() => {
    const ownIdSet = new Set(ownIds.split(' '));
    return (data ?? []).filter(({ id }) => !ownIdSet.has(id));
  }, [data, ownIds]);
}

/** Returns the version that a draft began with. */
export function baseOf({ base, baseVersion: version, baseEtag: etag }: Draft): Version {
  return toVersion({ text: base, version, etag });
}

/** Returns the requests on single drafts. Each rejects like the client. */
export function useDraftRequests() {
  const { client } = useConnection();
  const autosave = use(DraftsContext);
  const queries = useQueryClient();
  return useMemo(() => {
    const refresh = () => queries.invalidateQueries({ queryKey: draftsKey });
    return {
      loadDraft: async (id: string) => narrow(await client.app('GET', `/drafts/${id}`), Draft),
      /** Assigns the draft to this window. */
      claimDraft: async (id: string) =>
        narrow(await client.app('POST', `/drafts/${id}/claim`, { window: autosave.window }), Draft),
      /** Puts a claimed draft into its tab. Returns false if the tab was closed. */
      applyDraft(
        draft: Draft,
        { modelPath, dispatch }: Pick<RecordTarget, 'modelPath' | 'dispatch'>,
      ): boolean {
        const { id, type, recordId, title, baseVersion, baseEtag, text, saved: savedAt } = draft;
        const base = baseOf(draft);
        const draftText = { type, recordId, title, baseVersion, baseEtag, base: base.text, text };
        if (!autosave.adoptDraft(modelPath, id, draftText, Date.parse(savedAt))) return false;
        // Dispatch now: a tab without unsaved text would drop its draft.
        dispatch({ type: 'restored', text, base });
        return true;
      },
      async discardDraft(id: string) {
        await client.app('DELETE', `/drafts/${id}`);
        await refresh();
      },
      /** Stores a discarded draft again. */
      async restoreDraft({ id, saved: _savedAt, ...draft }: Draft) {
        await client.app('PUT', `/drafts/${id}`, draft);
        await refresh();
      },
    };
  }, [client, autosave, queries]);
}
