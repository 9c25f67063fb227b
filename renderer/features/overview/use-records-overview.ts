/**
 * features/overview shows the records of a store, their quality, recent changes and unfinished work before the first
 * search. The app shell mounts it on start. It only reads.
 */
import { useQuery } from '@tanstack/react-query';
import { ActivityPage, isJobEntry } from '../../../core/app/activity.ts';
import { BulkRunList } from '../../../core/app/bulk.ts';
import { DraftList } from '../../../core/app/drafts.ts';
import { RecordsOverview } from '../../../core/app/overview.ts';
import { isUnfinishedExport } from '../../../core/app/server-exports.ts';
import { formatQuery } from '../../../core/api/query.ts';
import { filterPairs, openFindings, QualityOverview } from '../../../core/app/quality.ts';
import { useRefreshes } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { useServerExports } from '../../platform/server-exports.ts';
import { useAppQuery } from '../../platform/use-answer.ts';

/** Time in milliseconds before cached data is reloaded. A change in this window reloads at once. */
const staleTime = 10_000;

/** Loads records by status, changes since midnight, and patients with the latest records. */
export function useRecordsOverview() {
  const { client, name } = useConnection();
  const refreshes = useRefreshes();
  return useQuery({
    queryKey: ['overview', name, 'records', refreshes],
    queryFn: () => {
      const since = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
      return client.requestAs(RecordsOverview, 'GET', `/overview/records?since=${since}`);
    },
    placeholderData: (previous) => previous,
    staleTime,
  });
}

/** Loads the counts of the worklist, with the query that the worklist uses. */
export function useQualityShares() {
  const { client, name, remote } = useConnection();
  const filter = openFindings(remote !== undefined);
  return useAppQuery(`${client.quality}?${formatQuery(filterPairs(filter))}`, QualityOverview, {
    queryKey: ['quality', name, 'overview', filter],
  });
}

/** Loads unfinished work: drafts, stopped bulk runs, exports of other servers, and rejections of the latest import. */
export function useUnfinished() {
  const { name } = useConnection();
  const drafts = useAppQuery('/drafts', DraftList, { queryKey: ['drafts', 'overview', name] });
  const runs = useAppQuery('/bulk', BulkRunList, { queryKey: ['bulk', name] });
  const imports = useAppQuery('/activity?kind=import&count=1', ActivityPage, {
    queryKey: ['activity', name, 'imports'],
  });
  const serverExports = useServerExports();
  return {
    serverExports: (serverExports.data ?? []).filter(isUnfinishedExport),
    rejectedImports: (imports.data?.entries ?? [])
      .filter(isJobEntry)
      .filter(({ counts }) => (counts.refused ?? 0) > 0),
    isPending: [drafts, runs, imports].some(({ isPending }) => isPending) || serverExports.isLoading,
    failedQuery: [drafts, runs, imports, serverExports].find(({ isError }) => isError),
    drafts: drafts.data ?? [],
    runs: (runs.data ?? []).filter(({ state, undo }) => state === 'stopped' && !undo),
  };
}
