import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listSupportedParameters } from '../../../core/api/offered-parameters.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { furtherParameters, hintOf } from './parameter-fields.ts';

/**
 * Returns the search parameters that the server supports for a type, with their descriptions. Defaults to the
 * parameters of this product.
 */
export function useSupportedParameters(type: ResourceType) {
  const { client, remote, name } = useConnection();
  const { data } = useQuery({
    queryKey: ['offered', name, type],
    enabled: remote !== undefined,
    queryFn: async () => listSupportedParameters(await client.metadata(), type) ?? null,
    staleTime: Infinity,
  });
  return useMemo(() => {
    const parameters = data ?? undefined;
    return {
      names: furtherParameters(
        type,
        parameters?.map((supported) => supported.name),
      ),
      hintOf: (parameter: string): string =>
        parameters?.find((supported) => supported.name === parameter)?.documentation ??
        hintOf(type, parameter),
    };
  }, [type, data]);
}
