import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { GenericSchema } from 'valibot';
import type { Shape } from '../../core/json/shape.ts';
import { useConnection } from './connection.ts';

/** Queries an address of the app on the active server. */
export function useAppQuery<Schema extends GenericSchema>(
  path: string,
  schema: Schema,
  options: Omit<UseQueryOptions<Shape<Schema>>, 'queryFn'>,
) {
  const { client } = useConnection();
  return useQuery({ ...options, queryFn: () => client.requestAs(schema, 'GET', path) });
}
