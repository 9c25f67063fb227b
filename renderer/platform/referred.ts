import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { use } from 'react';
import { readResource, type ReadResource } from '../ui/resource-card.tsx';
import { useConnection } from './connection.ts';
import { ReferringRecord } from './referring-record.ts';

/**
 * Loads the first of several equivalent references that leads to a resource other than a record; null if none
 * is available. `types` limits the resource types.
 */
export function useReferred(
  references: readonly string[],
  { types, enabled = true }: { readonly types?: readonly string[]; readonly enabled?: boolean } = {},
): UseQueryResult<ReadResource | null> {
  const { client, remote } = useConnection();
  const record = use(ReferringRecord);
  return useQuery({
    enabled,
    queryKey: ['referred', remote?.id, record, references, types],
    // A query may not return undefined.
    queryFn: async () => {
      for (const reference of references) {
        const text = await client.referred(reference, record);
        const resource = text === undefined ? undefined : readResource(text);
        if (resource && (types?.includes(resource.card.type) ?? true)) return resource;
      }
      return null;
    },
    retry: false,
  });
}
