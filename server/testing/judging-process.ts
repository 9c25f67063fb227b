/**
 * Validates all records of a data folder by built-in rules, custom checks and relations, in a process that tests kill:
 * `node server/testing/judging-process.ts FOLDER TIME [ADDRESS]`. With an address, validates that shared store. Prints a
 * line after each batch, and exits when all records are validated.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkScheduler } from '../background/background.ts';
import { createValidation } from '../validation/validation-service.ts';
import { createPackages } from '../packages/packages.ts';
import { openPostgresStore } from '../shared/postgres/postgres-store.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { openSharedWorkspace } from '../shared/workspace.ts';
import { openWorkspace } from '../workspace/workspace.ts';

const [folder = '', time = '', address] = process.argv.slice(2);
const file = join(folder, 'workspace.db');

async function openShared(storeAddress: string) {
  const store = await openPostgresStore(storeAddress);
  return { store, ...(await openSharedWorkspace(file, store)) };
}

async function openFolder() {
  return { store: await openRecordStore(join(folder, 'records.db')), workspace: await openWorkspace(file) };
}

const { store, workspace } = address === undefined ? await openFolder() : await openShared(address);
const reportBatches =
  <Arguments extends unknown[], Result>(work: (...parameters: Arguments) => Promise<Result>) =>
  async (...parameters: Arguments): Promise<Result> => {
    const result = await work(...parameters);
    writeSync(1, 'slice\n');
    return result;
  };
Object.assign(store.checks, { write: reportBatches(store.checks.write.bind(store.checks)) });
Object.assign(store.derived, { runSlice: reportBatches(store.derived.runSlice.bind(store.derived)) });
const log = (line: string) => void writeSync(2, `${line}\n`);
const validation = createValidation({
  store,
  definitions: workspace.checks,
  clock: () => Number(time),
  scheduleEvery: () => () => undefined,
  pace: createWorkScheduler(),
  log,
  profiles: {
    source: createPackages({ dataDir: folder, log }),
    getSelectedProfiles: workspace.chosenProfiles,
  },
  base: () => '',
});
validation.wake();
for (const work of [validation.rebuilder, validation.checks, validation.relations]) await work.idle();
await validation.close();
await workspace.close();
await store.close();
