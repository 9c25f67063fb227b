import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { Client } from '../../core/api/client.ts';
import { useConnection } from './connection.ts';

/**
 * A change that the server makes. `onChanged` is told of it; then what is shown by that key, or everything without one,
 * is read anew.
 */
export function useChange<Answer, Asked = void>(
  change: (client: Client, asked: Asked) => Promise<Answer>,
  onChanged: (answer: Answer, asked: Asked) => void,
  queryKey?: QueryKey,
) {
  const { client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: Asked) => change(client, asked),
    onSuccess: (answer, asked) => {
      onChanged(answer, asked);
      return queries.invalidateQueries(queryKey && { queryKey });
    },
  });
}
