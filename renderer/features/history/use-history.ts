import { useInfiniteQuery } from '@tanstack/react-query';
import { useReducer } from 'react';
import type { HistoryEntry } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';
import { historyReducer, pairOf, startHistory, type VersionPair } from './history-state.ts';

/** The record whose history is shown, as it is now. */
export interface Subject {
  readonly type: ResourceType;
  readonly id: string;
  /** The version that the tab was read or saved as. */
  readonly version: number | undefined;
  /** What the server calls it: text of meta.versionId. */
  readonly versionId: string;
  readonly lastUpdated: string;
}

/** The versions of a record, page by page; read again when the record has a newer version. */
export function useHistory({ type, id, version }: Subject) {
  const { client, name } = useConnection();
  const query = useInfiniteQuery({
    queryKey: ['history', name, type, id, version],
    queryFn: ({ pageParam }) => client.history(type, id, pageParam === undefined ? {} : { page: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    staleTime: 30_000,
  });
  const pages = query.data?.pages ?? [];
  const versions: readonly HistoryEntry[] = pages.flatMap((page) => page.versions);
  return { query, versions, total: pages[0]?.total ?? 0 };
}

/** How the value of one version is read; version 0 is nothing. */
export function versionOptions({ client, name }: Connection, { type, id }: Subject, version: number) {
  return {
    queryKey: ['version', name, type, id, version],
    queryFn: async (): Promise<JsonNode | null> =>
      version === 0 ? null : scan((await client.readVersion(type, id, version)).text).root,
    // A version is never changed.
    staleTime: Infinity,
    gcTime: 60_000,
  };
}

/** A record's versions and which of them are chosen: the newest, until somebody moves; `opened` begins with two. */
export function useChosen(subject: Subject, opened?: VersionPair) {
  const [state, dispatch] = useReducer(historyReducer, opened, startHistory);
  const history = useHistory(subject);
  const newest = history.versions[0]?.version;
  const chosen = state.cursor ?? newest;
  const pair = pairOf(chosen === undefined ? state : { ...state, cursor: chosen });
  return { list: { subject, history, state, dispatch }, chosen, current: subject.version ?? newest, pair };
}
