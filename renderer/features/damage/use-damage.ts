/**
 * features/damage shows which records are damaged and which writes were lost, and mends. The app shell mounts it, for
 * the local server alone. Invariant: nothing is written but what the steward chose, over the version that was shown.
 */
import type { Client } from '../../../core/api/client.ts';
import { DamageList, type DamagedVersion } from '../../../core/app/damage.ts';
import { LossList, type Loss } from '../../../core/app/losses.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';
import { provenanceFor, usePerson } from '../../platform/people.ts';
import { text } from '../../ui/text.ts';

/** Milliseconds between two looks at a check under way, and at what the server found of its own accord. */
const pace = { running: 1000, idle: 60_000 };

const damageKey = ['damage'];
const lossesKey = ['losses'];

/** What is damaged, and how far the check is; nothing where another server is worked on. */
export function useDamage() {
  const { remote } = useConnection();
  return useAnswer('/damage', DamageList, {
    enabled: !remote,
    queryKey: damageKey,
    refetchInterval: ({ state: { data, error } }) => {
      // A server that does not offer it will not begin to.
      if (error) return false;
      return data?.scrub.running ? pace.running : pace.idle;
    },
  });
}

/** Has all texts read against their checksums now. */
export function useCheck(onBegun: () => void) {
  return useChange((client) => client.app('POST', '/damage/scrub', {}), onBegun, damageKey);
}

/** Where the whole text comes from. */
export type Whole = { readonly backup: string } | { readonly text: string };

/** Writes a whole text over a damaged one; everything that is shown is then read anew. */
export function useMend({ type, id, version }: DamagedVersion, onMended: () => void) {
  const person = usePerson();
  return useChange(async (client, whole: Whole): Promise<void> => {
    if ('text' in whole) {
      const provenance = provenanceFor(text.why.mended, person);
      await client.update(type, id, whole.text, { etag: `W/"${version}"`, provenance });
    } else await client.app('POST', `/damage/${type}/${encodeURIComponent(id)}/mend`, whole);
  }, onMended);
}

/** Losses that nobody has read of yet, the newest first. */
export function useLosses(): readonly Loss[] {
  const { remote } = useConnection();
  const { data } = useAnswer('/losses', LossList, {
    enabled: !remote,
    queryKey: lossesKey,
    // A server that was started anew may have found one.
    refetchInterval: ({ state: { error } }) => (error ? false : pace.idle),
  });
  return (data?.losses ?? [])
    .filter(({ read }) => !read)
    .sort((one, other) => other.noticed.localeCompare(one.noticed));
}

/** Keeps that a loss was read of, for every window. */
export function useReadLoss() {
  const read = (client: Client, { id }: Loss) => client.app('POST', `/losses/${id}/read`, {});
  return useChange(read, () => undefined, lossesKey);
}
