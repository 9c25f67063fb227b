/** `chartkeeper erase`: removes a record for good, in a data folder that no server holds. */
import { join } from 'node:path';
import { check } from '../core/app/check.ts';
import { nameOfRecord, NewErasure } from '../core/app/erasures.ts';
import { ownerName } from '../core/app/tokens.ts';
import { createErasures } from './erasures/erasures.ts';
import type { SealKey } from './store/audit-chain.ts';
import { openRecordStore } from './store/sqlite-store.ts';
import { openWorkspace } from './workspace/workspace.ts';

/** Erases the record that `name` (`CarePlan/abc`) names, and prints which backups hold it still. */
export async function runErase(dataDir: string, name: string, reason: string, key?: SealKey): Promise<void> {
  const [type, ...id] = name.split('/');
  const asked = check(NewErasure, { type, id: id.join('/'), reason });
  if ('problems' in asked) throw new Error(asked.problems.map(({ text }) => text).join('\n'));
  const store = await openRecordStore(join(dataDir, 'records.db'), undefined, key);
  try {
    const workspace = await openWorkspace(join(dataDir, 'workspace.db'));
    try {
      const erasures = createErasures({ dataDir, store, list: workspace.erasures, clock: Date.now });
      const { backups, ...erasure } = await erasures.erase(asked.value, { who: ownerName, requestId: '' });
      process.stdout.write(`${nameOfRecord(erasure)} is erased, with all its versions.\n`);
      if (backups.length === 0) process.stdout.write('No backup holds it.\n');
      else process.stdout.write('These backups hold it still; remove those that are not needed:\n');
      for (const backup of backups) process.stdout.write(`${backup.name}\n`);
    } finally {
      await workspace.close();
    }
  } finally {
    await store.close();
  }
}
