import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatQuery } from '../../../core/api/query.ts';
import {
  BatchComparison,
  BatchLines,
  ImportBatchDetail,
  ImportBatches,
  UndoResult,
  type ImportBatch,
} from '../../../core/app/batches.ts';
import type { ImportResult } from '../../../core/app/transfer.ts';
import { useRefreshes } from '../../platform/app-queries.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const batchesKey = 'batches';

/** Milliseconds between reloads while an import is running. */
const runningIntervalMs = 2000;

/** Loads the batches in pages, latest first. */
export function useBatches() {
  const { client } = useConnection();
  const refreshes = useRefreshes();
  return useInfiniteQuery({
    queryKey: [batchesKey, 'list', refreshes],
    initialPageParam: '',
    queryFn: ({ pageParam }) => client.requestAs(ImportBatches, 'GET', `/batches${pageOf({}, pageParam)}`),
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ batches }) => batches.some(({ state }) => state === 'running'))
        ? runningIntervalMs
        : false,
  });
}

/** Loads the state of the records of a batch. */
export function useBatchDetail({ id, state }: ImportBatch) {
  const refreshes = useRefreshes();
  return useAppQuery(`/batches/${id}`, ImportBatchDetail, {
    queryKey: [batchesKey, 'detail', id, state, refreshes],
    placeholderData: (previous) => previous,
    staleTime: 0,
  });
}

/** Loads the lines of a batch in pages. */
export function useBatchLines(id: string, result: ImportResult | undefined) {
  const { client } = useConnection();
  return useInfiniteQuery({
    queryKey: [batchesKey, 'lines', id, result],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      client.requestAs(BatchLines, 'GET', `/batches/${id}/lines${pageOf({ result }, pageParam)}`),
    getNextPageParam: ({ next }) => next,
  });
}

/** Compares a batch with another one. */
export function useComparison(id: string, other: string) {
  const { client } = useConnection();
  return useInfiniteQuery({
    enabled: other !== '',
    queryKey: [batchesKey, 'compared', id, other],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      client.requestAs(
        BatchComparison,
        'GET',
        `/batches/${id}/compared${pageOf({ with: other }, pageParam)}`,
      ),
    getNextPageParam: ({ next }) => next,
  });
}

/** Loads what an undo of a batch would do. */
export function useUndoPreview(id: string) {
  const { client } = useConnection();
  const refreshes = useRefreshes();
  return useQuery({
    queryKey: [batchesKey, 'undo', id, refreshes],
    queryFn: () => client.requestAs(UndoResult, 'POST', `/batches/${id}/undo`, { dryRun: true }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Returns the mutation that undoes a batch. All queries are loaded again. */
export function useUndoBatch(id: string, onUndone: (result: UndoResult) => void) {
  return useChange(
    (client, reason: string) =>
      client.requestAs(UndoResult, 'POST', `/batches/${id}/undo`, {
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      }),
    onUndone,
  );
}

function pageOf(parameters: Readonly<Record<string, string | undefined>>, after: string): string {
  const pairs = Object.entries({ ...parameters, after: after === '' ? undefined : after });
  const query = formatQuery(
    pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  return query === '' ? '' : `?${query}`;
}
