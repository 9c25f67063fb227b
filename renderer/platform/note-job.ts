import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { NewJob } from '../../core/app/activity.ts';
import { useConnection } from './connection.ts';

/** How a job of the page gets its own entry in the activity log; it is done whether the log takes it or not. */
export function useNoteJob(): (job: NewJob) => void {
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
