import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatQuery } from '../../../core/api/query.ts';
import { filterPairs, QualityOverview, QualityPage, type QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { useSaveCsv } from '../../platform/save-file.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';

const pageSize = 200;

/** Loads the violated rules with counts. */
export function useQualityOverview(filter: QualityFilter) {
  const { client, name } = useConnection();
  return useAppQuery(`${client.quality}?${formatQuery(filterPairs(filter))}`, QualityOverview, {
    queryKey: ['quality', name, 'overview', filter],
    placeholderData: keepPreviousData,
  });
}

/** Loads the findings of a filter in pages. */
export function useFindings(filter: QualityFilter) {
  const { client, name } = useConnection();
  const query = useInfiniteQuery({
    queryKey: ['quality', name, 'findings', filter],
    initialPageParam: '',
    queryFn: ({ pageParam }) => {
      const pairs: [string, string][] = [...filterPairs(filter), ['count', String(pageSize)]];
      if (pageParam !== '') pairs.push(['after', pageParam]);
      return client.requestAs(QualityPage, 'GET', `${client.quality}/findings?${formatQuery(pairs)}`);
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });
  const pages = query.data?.pages;
  const findings = useMemo(() => (pages ?? []).flatMap((page) => page.findings), [pages]);
  return { query, findings };
}

export type Findings = ReturnType<typeof useFindings>;

/** Downloads the worklist of a filter as CSV. */
export function useExport(filter: QualityFilter) {
  const { client } = useConnection();
  const announce = useAnnounce();
  const saveCsv = useSaveCsv();
  return useMutation({
    mutationFn: () => client.appText(`${client.quality}.csv?${formatQuery(filterPairs(filter))}`),
    onSuccess: (csv) => {
      saveCsv([csv], 'quality.csv');
      const rows = csv.split('\r\n').length - 2;
      announce(text.quality.exported(rows));
    },
  });
}
