/**
 * Rebuilds the derived rows of a data folder in a process that tests kill, about one record a step:
 * `node server/testing/rebuild-process.ts FOLDER TIME`. Prints the number of the last rebuilt record.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';

const [folder = '', time = ''] = process.argv.slice(2);
const store = await openRecordStore(join(folder, 'records.db'));
while (await store.derived.runSlice({ now: Number(time), milliseconds: 1 })) {
  const { rebuild } = await store.derived.state();
  writeSync(1, `${rebuild?.done ?? 'done'}\n`);
}
await store.close();
