import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { readResource, type ReadResource } from '../ui/resource-card.tsx';
import { useConnection } from './connection.ts';

/**
 * What the first of several literal references to the same leads to that is no record; null where none is at hand.
 * Resources of other types than those in `types`, where these are given, are passed over.
 */
export function useReferred(
  references: readonly string[],
  { types, enabled = true }: { readonly types?: readonly string[]; readonly enabled?: boolean } = {},
): UseQueryResult<ReadResource | null> {
  const { client, remote } = useConnection();
  return useQuery({
    enabled,
    queryKey: ['referred', remote?.id, references, types],
    // No answer is no `undefined` of a query's.
    queryFn: async () => {
      for (const reference of references) {
        const text = await client.referred(reference);
        const found = text === undefined ? undefined : readResource(text);
        if (found && (types?.includes(found.card.type) ?? true)) return found;
      }
      return null;
    },
    retry: false,
  });
}
