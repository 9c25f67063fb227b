/** `chartkeeper erase`: permanently removes a record from a data folder that no server uses. */
import { join } from 'node:path';
import { withRecords, withWorkspace } from './command-place.ts';
import { check } from '../../core/app/check.ts';
import { formatRecordName, NewErasure } from '../../core/app/erasures.ts';
import { ownerName } from '../../core/app/tokens.ts';
import { waitAtMost } from '../backups/backups.ts';
import { createSecondaryBackups } from '../backups/secondary-backups.ts';
import { createErasures } from '../erasures/erasures.ts';
import { createFolderErasureTarget } from '../erasures/folder-place.ts';
import { offlineFinder } from '../find/finder.ts';
import type { SealKey } from '../store/audit-chain.ts';
import type { RecordStore } from '../store/store.ts';

/** Longest wait for the secondary backup folder. */
const timeoutMs = 5000;

interface EraseOptions {
  /** Name of the record: `CarePlan/abc`. */
  readonly name: string;
  readonly source?: string | undefined;
  readonly reason: string;
}

/** Erases a record and prints the backups that still contain it. */
export async function runErase(
  dataDir: string,
  { name, source, reason }: EraseOptions,
  key?: SealKey,
): Promise<void> {
  const [type, ...id] = name.split('/');
  const request = check(NewErasure, {
    type,
    id: id.join('/'),
    reason,
    ...(source !== undefined && { source }),
  });
  if ('problems' in request) throw new Error(request.problems.map(({ text }) => text).join('\n'));
  const eraseFrom = (store: RecordStore) =>
    withWorkspace(dataDir, async (workspace) => {
      const secondaryBackups = createSecondaryBackups({
        dataDir,
        paths: ['records.db', 'workspace.db'].map((file) => join(dataDir, file)),
        memory: workspace,
        log: () => undefined,
        clock: Date.now,
      });
      await waitAtMost(timeoutMs, secondaryBackups.look());
      const list = workspace.erasures;
      const erasures = createErasures({
        target: createFolderErasureTarget({
          dataDir,
          store,
          list,
          listSecondaryBackups: () => secondaryBackups.listLastSeen(),
        }),
        list,
        finder: offlineFinder(dataDir),
        clock: Date.now,
      });
      const { backups, unseen, ...erasure } = await erasures.erase(request.value, {
        who: ownerName,
        requestId: '',
      });
      process.stdout.write(`${formatRecordName(erasure)} erased with all its versions.\n`);
      if (backups.length > 0)
        process.stdout.write('These backups still contain it. Delete the ones you don’t need:\n');
      else if (unseen === null) process.stdout.write('No backup contains it.\n');
      for (const { name, place } of backups)
        process.stdout.write(place === 'first' ? `${name}\n` : `${name} (second location)\n`);
      if (unseen !== null)
        process.stdout.write(`Can’t check ${unseen}: backups there may still contain it.\n`);
    });
  await withRecords(dataDir, eraseFrom, key);
}
