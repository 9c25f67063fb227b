import type { RecordStore } from '../store/store.ts';
import type { Run } from './jobs.ts';
import type { ChangeRequest } from './service-requests.ts';

/** How many versions before the current one are looked at. */
const looked = 50;

/** Whether one of the versions before the current one says what a text says. */
export async function wasStored(
  { store, run }: { readonly store: Pick<RecordStore, 'read' | 'readVersion'>; readonly run: Run },
  { type, id, text }: Pick<ChangeRequest, 'type' | 'id' | 'text'>,
): Promise<boolean> {
  const standing = await store.read(type, id);
  const newest = (standing?.version ?? 1) - 1;
  for (let version = newest; version > Math.max(0, newest - looked); version -= 1) {
    const earlier = await store.readVersion(type, id, version);
    if (earlier && 'text' in earlier && (await run('isSame', [type, text, earlier]))) return true;
  }
  return false;
}
