import { useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useMemo, useSyncExternalStore } from 'react';
import { narrow } from '../../../../core/api/narrow.ts';
import { Draft, DraftList, type DraftSummary } from '../../../../core/app/drafts.ts';
import { useConnection } from '../../../platform/connection.ts';
import { putModelText } from '../../../platform/monaco-text.ts';
import { toVersion, type Version } from '../../../platform/record-version.ts';
import type { RecordTarget } from '../record-state.ts';
import { DraftsContext } from './drafts-context.ts';

export const draftsKey = ['drafts'];

/**
 * The drafts that no tab of this window writes: what a crash, a restart or another window left. Newest first; asked for
 * when the component comes, or once it is `ready`.
 */
export function useOfferedDrafts(ready = true): readonly DraftSummary[] {
  const { client } = useConnection();
  const keeper = use(DraftsContext);
  const { data } = useQuery({
    queryKey: draftsKey,
    queryFn: async (): Promise<readonly DraftSummary[]> =>
      narrow(await client.app('GET', '/drafts'), DraftList),
    enabled: ready,
  });
  const ours = useSyncExternalStore(keeper.subscribe, () =>
    (data ?? [])
      .filter(({ id }) => keeper.owns(id))
      .map(({ id }) => id)
      .join(' '),
  );
  return useMemo(() => {
    const own = new Set(ours.split(' '));
    return (data ?? []).filter(({ id }) => !own.has(id));
  }, [data, ours]);
}

/** The version that a draft was made on. */
export function baseOf({ base, baseVersion: version, baseEtag: etag }: Draft): Version {
  return toVersion({ text: base, version, etag });
}

/** What is done with single drafts; each request rejects as the client does. */
export function useDraftRequests() {
  const { client } = useConnection();
  const keeper = use(DraftsContext);
  const queries = useQueryClient();
  return useMemo(() => {
    const refresh = () => queries.invalidateQueries({ queryKey: draftsKey });
    return {
      read: async (id: string) => narrow(await client.app('GET', `/drafts/${id}`), Draft),
      /** Makes the draft this window's own. */
      claim: async (id: string) =>
        narrow(await client.app('POST', `/drafts/${id}/claim`, { window: keeper.window }), Draft),
      /** Puts a draft that is this window's own into its tab, which goes on with it; false where that was closed by then. */
      take(draft: Draft, { modelPath, dispatch }: Pick<RecordTarget, 'modelPath' | 'dispatch'>): boolean {
        const { id, type, recordId, title, baseVersion, baseEtag, text, saved } = draft;
        const base = baseOf(draft);
        const held = { type, recordId, title, baseVersion, baseEtag, base: base.text, text };
        if (!keeper.adopt(modelPath, id, held, Date.parse(saved))) return false;
        // In the same turn: a tab without unsaved text would give its draft up.
        dispatch({ type: 'restored', text, base });
        putModelText(modelPath, text);
        return true;
      },
      async discard(id: string) {
        await client.app('DELETE', `/drafts/${id}`);
        await refresh();
      },
      /** Brings a discarded draft back. */
      async bringBack({ id, saved: _saved, ...draft }: Draft) {
        await client.app('PUT', `/drafts/${id}`, draft);
        await refresh();
      },
    };
  }, [client, keeper, queries]);
}
