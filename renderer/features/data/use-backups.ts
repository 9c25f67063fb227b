import { Backup, BackupList, BackupRestored } from '../../../core/app/backups.ts';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const listKey = ['backups'];

/** Interval of polling while the secondary folder is being filled, in milliseconds. */
const copyingIntervalMs = 1000;

/** Loads the backups of the data folder, latest first. */
export function useBackups() {
  return useAppQuery('/backups', BackupList, {
    queryKey: listKey,
    // Always stale, because the server also makes scheduled backups.
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.secondPlace?.state === 'copying' ? copyingIntervalMs : false,
  });
}

/** Returns the mutation that backs up the current records. */
export function useCreateBackup(onCreated: (backup: Backup) => void) {
  return useChange((client) => client.requestAs(Backup, 'POST', '/backups', {}), onCreated, listKey);
}

/** Returns the mutation that restores a backup. Without a query key, it reloads all queries. */
export function useRestore(onRestored: (result: BackupRestored) => void) {
  return useChange(
    (client, { name }: Backup) =>
      client.requestAs(BackupRestored, 'POST', `/backups/${encodeURIComponent(name)}/restore`, {}),
    onRestored,
  );
}

/** Returns the mutation that sets or removes the secondary backup folder. */
export function useSetSecondaryFolder(onSet: (folder: string | null) => void) {
  return useChange(
    (client, folder: string | null) => client.app('PUT', '/backups/second-place', { folder }),
    (_answer, folder) => onSet(folder),
    listKey,
  );
}
