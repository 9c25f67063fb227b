/**
 * features/damage lists damaged records and lost writes, and repairs them. The app shell mounts it only for the local
 * server. Invariant: a repair writes only the source that the user selected, over the version that was shown.
 */
import type { Client } from '../../../core/api/client.ts';
import { DamageList, type DamagedVersion } from '../../../core/app/damage.ts';
import { LossList, type Loss } from '../../../core/app/losses.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';
import { provenanceFor, usePerson } from '../../platform/people.ts';
import { text } from '../../ui/text.ts';

/** Polling intervals in milliseconds: during a check, and otherwise, for damage that the server finds itself. */
const pollIntervalMs = { running: 1000, idle: 60_000 };

const damageKey = ['damage'];
const lossesKey = ['losses'];

/** Loads the damage and the progress of the check. Disabled for other servers. */
export function useDamage() {
  const { remote } = useConnection();
  return useAppQuery('/damage', DamageList, {
    enabled: !remote,
    queryKey: damageKey,
    refetchInterval: ({ state: { data, error } }) => {
      // An unsupported address stays unsupported.
      if (error) return false;
      return data?.scrub.running ? pollIntervalMs.running : pollIntervalMs.idle;
    },
  });
}

/** Starts a check of all texts against their checksums. */
export function useCheck(onBegun: () => void) {
  return useChange((client) => client.app('POST', '/damage/scrub', {}), onBegun, damageKey);
}

export type RepairSource = { readonly backup: string } | { readonly text: string };

/** Replaces a damaged text by an intact one and reloads all queries. */
export function useRepair({ type, id, version }: DamagedVersion, onMended: () => void) {
  const person = usePerson();
  return useChange(async (client, source: RepairSource): Promise<void> => {
    if ('text' in source) {
      const provenance = provenanceFor(text.why.mended, person);
      await client.update(type, id, source.text, { etag: `W/"${version}"`, provenance });
    } else await client.app('POST', `/damage/${type}/${encodeURIComponent(id)}/mend`, source);
  }, onMended);
}

/** Loads the unread losses, latest first. */
export function useLosses(): readonly Loss[] {
  const { remote } = useConnection();
  const { data } = useAppQuery('/losses', LossList, {
    enabled: !remote,
    queryKey: lossesKey,
    // A restarted server may have found a loss.
    refetchInterval: ({ state: { error } }) => (error ? false : pollIntervalMs.idle),
  });
  return (data?.losses ?? [])
    .filter(({ read: isRead }) => !isRead)
    .sort((a, b) => b.noticed.localeCompare(a.noticed));
}

/** Marks a loss as read for all windows. */
export function useReadLoss() {
  const markAsRead = (client: Client, { id }: Loss) => client.app('POST', `/losses/${id}/read`, {});
  return useChange(markAsRead, () => undefined, lossesKey);
}
