import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { narrow } from '../../../core/api/narrow.ts';
import { formatQuery } from '../../../core/api/query.ts';
import { filterPairs, QualityOverview, QualityPage, type QualityFilter } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';

const pageSize = 200;

/** Which rules are broken, and how often. */
export function useQualityOverview(filter: QualityFilter) {
  const { client, name } = useConnection();
  return useAnswer(`${client.quality}?${formatQuery(filterPairs(filter))}`, QualityOverview, {
    queryKey: ['quality', name, 'overview', filter],
    placeholderData: keepPreviousData,
  });
}

/** The findings of a filter, page after page. */
export function useFindings(filter: QualityFilter) {
  const { client, name } = useConnection();
  const query = useInfiniteQuery({
    queryKey: ['quality', name, 'findings', filter],
    initialPageParam: '',
    queryFn: async ({ pageParam }): Promise<QualityPage> => {
      const pairs: [string, string][] = [...filterPairs(filter), ['count', String(pageSize)]];
      if (pageParam !== '') pairs.push(['after', pageParam]);
      return narrow(await client.app('GET', `${client.quality}/findings?${formatQuery(pairs)}`), QualityPage);
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
