import { useInfiniteQuery } from '@tanstack/react-query';
import { useReducer } from 'react';
import type { HistoryEntry } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';
import { historyReducer, pairOf, startHistory, type VersionPair } from './history-state.ts';

/** Record whose history is shown, in its current state. */
export interface Subject {
  readonly type: ResourceType;
  readonly id: string;
  /** Version that the tab has loaded or saved. */
  readonly version: number | undefined;
  /** meta.versionId of the server. */
  readonly versionId: string;
  readonly lastUpdated: string;
}

/** Loads the versions of a record in pages. Reloads when the record has a newer version. */
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

/** Returns query options for the content of a version. Version 0 is empty. */
export function versionOptions({ client, name }: Connection, { type, id }: Subject, version: number) {
  return {
    queryKey: ['version', name, type, id, version],
    queryFn: async (): Promise<JsonNode | null> =>
      version === 0 ? null : scan((await client.readVersion(type, id, version)).text).root,
    // Versions never change.
    staleTime: Infinity,
    gcTime: 60_000,
  };
}

/**
 * Returns the versions of a record and the selected ones. Initially selects the latest, or the pair `initialPair`.
 */
export function useChosen(subject: Subject, initialPair?: VersionPair) {
  const [state, dispatch] = useReducer(historyReducer, initialPair, startHistory);
  const history = useHistory(subject);
  const latest = history.versions[0]?.version;
  const selectedVersion = state.cursor ?? latest;
  const pair = pairOf(selectedVersion === undefined ? state : { ...state, cursor: selectedVersion });
  return {
    list: { subject, history, state, dispatch },
    selectedVersion,
    current: subject.version ?? latest,
    pair,
  };
}
