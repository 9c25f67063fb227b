import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { HistoryEntry } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { format } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import { useConnection, type Connection } from '../../platform/connection.ts';

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

/** A past version: formatted text and value. */
export interface PastText {
  readonly text: string;
  readonly root: JsonNode | undefined;
}

const nothing: PastText = { text: '', root: undefined };

export function versionOptions({ client, name }: Connection, { type, id }: Subject, version: number) {
  return {
    queryKey: ['version', name, type, id, version],
    queryFn: async (): Promise<PastText> => {
      if (version === 0) return nothing;
      const { root } = scan((await client.readVersion(type, id, version)).text);
      return { text: format(root), root };
    },
    // A version is never changed.
    staleTime: Infinity,
    gcTime: 60_000,
  };
}

/** The text of one version; version 0 is nothing. */
export function useVersion(subject: Subject, version: number) {
  return useQuery(versionOptions(useConnection(), subject, version));
}
