import { Backup, BackupList, BackupRestored } from '../../../core/app/backups.ts';
import { useAnswer } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const listKey = ['backups'];

/** Milliseconds between two looks while the second place is being filled. */
const copyingPace = 1000;

/** The backups of the data folder, newest first. */
export function useBackups() {
  return useAnswer('/backups', BackupList, {
    queryKey: listKey,
    // The server makes some of its own accord.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.secondPlace?.state === 'copying' ? copyingPace : false),
  });
}

/** Makes a backup of the records as they are now. */
export function useBackUp(onMade: (backup: Backup) => void) {
  return useChange((client) => client.ask(Backup, 'POST', '/backups', {}), onMade, listKey);
}

/** Puts a backup in the place of the records; everything that is shown is then read anew. */
export function useRestore(onRestored: (restored: BackupRestored) => void) {
  return useChange(
    (client, { name }: Backup) =>
      client.ask(BackupRestored, 'POST', `/backups/${encodeURIComponent(name)}/restore`, {}),
    onRestored,
  );
}

/** Sets the folder that backups are copied to as well, or has none. */
export function useSecondPlace(onSet: (folder: string | null) => void) {
  return useChange(
    (client, folder: string | null) => client.app('PUT', '/backups/second-place', { folder }),
    (_answer, folder) => onSet(folder),
    listKey,
  );
}
