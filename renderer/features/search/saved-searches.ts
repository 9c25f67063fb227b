import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  SavedList,
  SavedSearch,
  searchLimits,
  SearchList,
  type SearchQuery,
} from '../../../core/app/searches.ts';
import { matchesSchema } from '../../../core/json/shape.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { toFailure } from '../../ui/failure.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { keyOf } from './criteria.ts';

const recentKey = ['recents'];
const savedKey = ['saved-searches'];

/** Returns the recent searches, latest first. */
export function useRecentSearches(): readonly SearchQuery[] {
  return useAppQuery('/recents', SearchList, { queryKey: recentKey, staleTime: Infinity }).data ?? [];
}

/** Adds a search to the recent searches, on the page at once and in the workspace database. */
export function useNoteSearch(): (search: SearchQuery) => void {
  const { client } = useConnection();
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (search: SearchQuery) => client.app('POST', '/recents', search),
    onMutate: async (search) => {
      // A pending response does not contain this search.
      await queries.cancelQueries({ queryKey: recentKey });
      queries.setQueryData<readonly SearchQuery[]>(recentKey, (recentSearches = []) =>
        [search, ...recentSearches.filter((recentSearch) => keyOf(recentSearch) !== keyOf(search))].slice(
          0,
          searchLimits.recent,
        ),
      );
    },
    onSuccess: (storedSearches) => {
      if (matchesSchema(SearchList, storedSearches)) queries.setQueryData(recentKey, storedSearches);
    },
  });
  return mutate;
}

/** Deletes the recent searches and announces it. */
export function useForgetRecents() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: () => client.app('DELETE', '/recents'),
    onSuccess: () => {
      queries.setQueryData(recentKey, []);
      announce(text.saved.forgotten);
    },
    onError: (error) => announce(toFailure(error).sentences.join(' ')),
  });
}

/** Returns the saved searches. */
export function useSavedSearches(): readonly SavedSearch[] {
  return useAppQuery('/searches', SavedList, { queryKey: savedKey, staleTime: Infinity }).data ?? [];
}

/** Saves, renames and removes searches, announces the change and reloads the list. */
export function useSavedSearchChanges() {
  const { client } = useConnection();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const onSettled = () => queries.invalidateQueries({ queryKey: savedKey });
  const save = useMutation({
    mutationFn: ({ name, query }: { name: string; query: SearchQuery }) =>
      client.requestAs(SavedSearch, 'POST', '/searches', { name, ...query }),
    onSuccess: (_, { name }) => announce(text.saved.done(name)),
    onSettled,
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      client.requestAs(SavedSearch, 'PUT', `/searches/${id}`, { name }),
    onSuccess: (_, { name }) => announce(text.saved.renamed(name)),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedSearch) => client.app('DELETE', `/searches/${id}`),
    onSuccess: (_, { name }) => announce(text.saved.removed(name)),
    onError: (error) => announce(toFailure(error).sentences.join(' ')),
    onSettled,
  });
  return { save, rename, remove };
}
