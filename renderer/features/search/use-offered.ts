import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { offeredParameters } from '../../../core/api/offered-parameters.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { furtherParameters, hintOf } from './parameter-fields.ts';

/** The parameters that the server offers for a type, and what it says of each; this product's own where it says nothing. */
export function useOffered(type: ResourceType) {
  const { client, remote, name } = useConnection();
  const { data } = useQuery({
    queryKey: ['offered', name, type],
    enabled: remote !== undefined,
    queryFn: async () => offeredParameters(await client.metadata(), type) ?? null,
    staleTime: Infinity,
  });
  return useMemo(() => {
    const offered = data ?? undefined;
    return {
      names: furtherParameters(
        type,
        offered?.map((one) => one.name),
      ),
      hintOf: (parameter: string): string =>
        offered?.find((one) => one.name === parameter)?.documentation ?? hintOf(type, parameter),
    };
  }, [type, data]);
}
