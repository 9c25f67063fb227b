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

/** Returns the preferences of the workbench and the function that changes them. */
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
      const isBeforeFirstRead = queries.getQueryData(queryKey) === undefined;
      // A pending response does not contain this change.
      void queries.cancelQueries({ queryKey });
      queries.setQueryData<Preferences>(queryKey, (current) => ({
        ...(current ?? defaultPreferences),
        ...change,
      }));
      return isBeforeFirstRead;
    },
    // Before the first response, the other preferences are unknown.
    onSettled: (_answer, _error, _change, isBeforeFirstRead) =>
      isBeforeFirstRead ? queries.invalidateQueries({ queryKey }) : undefined,
  });
  return { preferences: query.data ?? defaultPreferences, loaded: query.isSuccess, change: mutate };
}

/** Returns a preference and its setter. A change shows at once and is stored in the workspace database. */
export function usePreference<K extends PreferenceName>(
  name: K,
): readonly [Preferences[K], (value: Preferences[K]) => void] {
  const { preferences, change } = usePreferences();
  const setValue = useCallback((value: Preferences[K]) => change({ [name]: value }), [change, name]);
  return [preferences[name], setValue];
}

/** Height of a table row in CSS pixels. */
export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 36, compact: 28 };

/** Returns the height of a table row in CSS pixels, the value of `--row-height`. */
export function useRowHeight(): number {
  const [density] = usePreference('density');
  return rowHeights[density];
}
