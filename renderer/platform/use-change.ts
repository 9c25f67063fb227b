import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { Client } from '../../core/api/client.ts';
import { useConnection } from './connection.ts';

/**
 * Returns a mutation on the server. Calls `onChanged`, then invalidates the queries of the key, or all
 * without a key.
 */
export function useChange<Answer, Input = void>(
  change: (client: Client, input: Input) => Promise<Answer>,
  onChanged: (answer: Answer, input: Input) => void,
  queryKey?: QueryKey,
) {
  const { client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(client, input),
    onSuccess: (answer, input) => {
      onChanged(answer, input);
      return queries.invalidateQueries(queryKey && { queryKey });
    },
  });
}
