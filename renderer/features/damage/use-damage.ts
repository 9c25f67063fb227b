/**
 * features/damage shows which records are damaged and which writes were lost, and mends. The app shell mounts it, for
 * the local server alone. Invariant: nothing is written but what the steward chose, over the version that was shown.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { narrow } from '../../../core/api/narrow.ts';
import { DamageList, type DamagedVersion } from '../../../core/app/damage.ts';
import { LossList, type Loss } from '../../../core/app/losses.ts';
import { useConnection } from '../../platform/connection.ts';
import { provenanceFor, usePerson } from '../../platform/people.ts';
import { text } from '../../ui/text.ts';

/** Milliseconds between two looks at a check under way, and at what the server found of its own accord. */
const pace = { running: 1000, idle: 60_000 };

const damageKey = ['damage'];
const lossesKey = ['losses'];

/** What is damaged, and how far the check is; nothing where another server is worked on. */
export function useDamage() {
  const { client, remote } = useConnection();
  return useQuery({
    enabled: !remote,
    queryKey: damageKey,
    queryFn: async (): Promise<DamageList> => narrow(await client.app('GET', '/damage'), DamageList),
    refetchInterval: ({ state: { data, error } }) => {
      // A server that does not offer it will not begin to.
      if (error) return false;
      return data?.scrub.running ? pace.running : pace.idle;
    },
  });
}

/** Has all texts read against their checksums now. */
export function useCheck(onBegun: () => void) {
  const { client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => client.app('POST', '/damage/scrub', {}),
    onSuccess: () => {
      onBegun();
      return queries.invalidateQueries({ queryKey: damageKey });
    },
  });
}

/** Where the whole text comes from. */
export type Whole = { readonly backup: string } | { readonly text: string };

/** Writes a whole text over a damaged one; everything that is shown is then read anew. */
export function useMend({ type, id, version }: DamagedVersion, onMended: () => void) {
  const { client } = useConnection();
  const queries = useQueryClient();
  const person = usePerson();
  return useMutation({
    mutationFn: async (whole: Whole): Promise<void> => {
      if ('text' in whole) {
        const provenance = provenanceFor(text.why.mended, person);
        await client.update(type, id, whole.text, { etag: `W/"${version}"`, provenance });
      } else await client.app('POST', `/damage/${type}/${encodeURIComponent(id)}/mend`, whole);
    },
    onSuccess: () => {
      onMended();
      return queries.invalidateQueries();
    },
  });
}

/** Losses that nobody has read of yet, the newest first. */
export function useLosses(): readonly Loss[] {
  const { client, remote } = useConnection();
  const { data } = useQuery({
    enabled: !remote,
    queryKey: lossesKey,
    queryFn: async () => narrow(await client.app('GET', '/losses'), LossList),
    // A server that was started anew may have found one.
    refetchInterval: ({ state: { error } }) => (error ? false : pace.idle),
  });
  return (data?.losses ?? [])
    .filter(({ read }) => !read)
    .sort((one, other) => other.noticed.localeCompare(one.noticed));
}

/** Keeps that a loss was read of, for every window. */
export function useReadLoss() {
  const { client } = useConnection();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Loss) => client.app('POST', `/losses/${id}/read`, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: lossesKey }),
  });
}
