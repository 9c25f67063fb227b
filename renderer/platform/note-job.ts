import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { NewJob } from '../../core/app/activity.ts';
import { useConnection } from './connection.ts';

/** Returns the function that adds a job of the page to the activity log. A failure is ignored. */
export function useLogJob(): (job: NewJob) => void {
  const { client } = useConnection();
  const queries = useQueryClient();
  return useCallback(
    (job) => {
      client.app('POST', '/activity', job).then(
        () => queries.invalidateQueries({ queryKey: ['activity'] }),
        () => undefined,
      );
    },
    [client, queries],
  );
}
