import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  defaultPreferences,
  isDemoLoaded,
  isOverview,
  isPreferences,
  type DemoLoaded,
  type Overview,
  type Preferences,
} from '../../core/app/models.ts';
import { useConnection, type Connection } from './connection.ts';

function narrow<T>(value: unknown, guard: (value: unknown) => value is T): T {
  if (guard(value)) return value;
  throw new TypeError('The server answered in a form that this page does not know.');
}

function overviewOptions({ name, client }: Connection) {
  return queryOptions({
    queryKey: ['overview', name],
    queryFn: async (): Promise<Overview> => narrow(await client.app('GET', '/overview'), isOverview),
  });
}

/** What the store holds. */
export function useOverview() {
  return useQuery(overviewOptions(useConnection()));
}

/** Loads the demo clinic, then reads the overview and every search anew; `onLoaded` is called before that. */
export function useLoadDemo(onLoaded: (loaded: DemoLoaded) => void) {
  const { client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<DemoLoaded> => narrow(await client.app('POST', '/demo', {}), isDemoLoaded),
    onSuccess: (loaded) => {
      onLoaded(loaded);
      return queries.invalidateQueries();
    },
  });
}

/** What the workbench remembers, and how to change it. */
export function usePreferences() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const queryKey = ['preferences'];
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<Preferences> => narrow(await client.app('GET', '/preferences'), isPreferences),
    staleTime: Infinity,
  });
  const mutation = useMutation({
    mutationFn: (preferences: Preferences) => client.app('PUT', '/preferences', preferences),
    onMutate: (preferences) => {
      queries.setQueryData(queryKey, preferences);
    },
  });
  return { preferences: query.data ?? defaultPreferences, loaded: query.isSuccess, save: mutation.mutate };
}
