import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RemoteJob, RemoteQuality } from '../../../core/app/remote-quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';

/** Polling interval of a running job in milliseconds. */
const pollIntervalMs = 1000;

export function isInProgress({ state }: Pick<RemoteJob, 'state'>): boolean {
  return state === 'running' || state === 'waiting';
}

/** Loads and controls the validation job of the connection. Lists and counts follow it. */
export function useRemoteJob() {
  const { client, name } = useConnection();
  const queries = useQueryClient();
  const { data, error, refetch } = useAppQuery(client.quality, RemoteQuality, {
    queryKey: ['quality', name, 'job'],
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data.job) ? pollIntervalMs : false),
  });
  const { read: readCount, state } = data?.job ?? {};
  useEffect(() => {
    for (const queryPart of ['overview', 'findings']) {
      void queries.invalidateQueries({ queryKey: ['quality', name, queryPart] });
    }
  }, [queries, name, readCount, state]);
  const change = useMutation({
    mutationFn: (order: 'judge' | 'start' | 'stop') => {
      const path = `${client.quality}/${order === 'stop' ? 'stop' : 'judge'}`;
      const body = order === 'start' ? { from: 'start' } : {};
      return client.requestAs(RemoteJob, 'POST', path, order === 'stop' ? undefined : body);
    },
    onSuccess: () => refetch(),
  });
  return {
    data,
    error: change.error ?? error,
    isPending: change.isPending,
    order: change.mutate,
    refreshJob: () => {
      change.reset();
      void refetch();
    },
  };
}
