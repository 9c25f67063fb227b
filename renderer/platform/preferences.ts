import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import {
  defaultPreferences,
  readPreferences,
  type Density,
  type PreferenceName,
  type Preferences,
} from '../../core/app/preferences.ts';
import { useConnection } from './connection.ts';

const queryKey = ['preferences'];

/** What the workbench remembers, and how to change some of it. */
export function usePreferences() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<Preferences> => readPreferences(await client.app('GET', '/preferences')),
    staleTime: Infinity,
  });
  const { mutate } = useMutation({
    mutationFn: (change: Partial<Preferences>) => client.app('PUT', '/preferences', change),
    onMutate: (change) => {
      const early = queries.getQueryData(queryKey) === undefined;
      // An answer that is still on its way knows nothing of this change.
      void queries.cancelQueries({ queryKey });
      queries.setQueryData<Preferences>(queryKey, (kept) => ({ ...(kept ?? defaultPreferences), ...change }));
      return early;
    },
    // Ahead of the first answer the others are not known yet.
    onSettled: (_answer, _error, _change, early) =>
      early ? queries.invalidateQueries({ queryKey }) : undefined,
  });
  return { preferences: query.data ?? defaultPreferences, loaded: query.isSuccess, change: mutate };
}

/** One preference and how to set it; the change is seen at once and kept in the workspace database. */
export function usePreference<K extends PreferenceName>(
  name: K,
): readonly [Preferences[K], (value: Preferences[K]) => void] {
  const { preferences, change } = usePreferences();
  const set = useCallback((value: Preferences[K]) => change({ [name]: value }), [change, name]);
  return [preferences[name], set];
}

/** Height of a table's row in CSS pixels. */
export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 36, compact: 28 };

/** Height of a table's row in CSS pixels, as `--row-height` says it to the style sheets. */
export function useRowHeight(): number {
  const [density] = usePreference('density');
  return rowHeights[density];
}
