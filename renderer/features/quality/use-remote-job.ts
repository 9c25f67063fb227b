import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RemoteJob, RemoteQuality } from '../../../core/app/remote-quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';

/** Milliseconds between two looks at a job that goes on. */
const pace = 1000;

export function isUnderWay({ state }: Pick<RemoteJob, 'state'>): boolean {
  return state === 'running' || state === 'waiting';
}

/** The server's job over the records of the connection; lists and counts follow it. */
export function useRemoteJob() {
  const { client, name } = useConnection();
  const queries = useQueryClient();
  const { data, error, refetch } = useAnswer(client.quality, RemoteQuality, {
    queryKey: ['quality', name, 'job'],
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.job) ? pace : false),
  });
  const { read, state } = data?.job ?? {};
  useEffect(() => {
    for (const part of ['overview', 'findings']) {
      void queries.invalidateQueries({ queryKey: ['quality', name, part] });
    }
  }, [queries, name, read, state]);
  const change = useMutation({
    mutationFn: (order: 'judge' | 'start' | 'stop') => {
      const path = `${client.quality}/${order === 'stop' ? 'stop' : 'judge'}`;
      const body = order === 'start' ? { from: 'start' } : {};
      return client.ask(RemoteJob, 'POST', path, order === 'stop' ? undefined : body);
    },
    onSuccess: () => refetch(),
  });
  return {
    data,
    error: change.error ?? error,
    pending: change.isPending,
    order: change.mutate,
    look: () => {
      change.reset();
      void refetch();
    },
  };
}
