/**
 * Judges all that a data folder holds, by the program's rules, by checks of one's own and between records, in a process of
 * its own, to be killed in the middle: `node server/testing/judging-process.ts FOLDER TIME`, or a shared store where its
 * address follows. Prints a line behind each slice, and ends once nothing is left to judge.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createWorkScheduler } from '../validation/work-scheduler.ts';
import { createValidation } from '../validation/validation-service.ts';
import { createPackages } from '../packages/packages.ts';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openRecordStore } from '../store/sqlite/sqlite-store.ts';
import { openSharedWorkspace, openWorkspace } from '../workspace/workspace.ts';

const [folder = '', time = '', address] = process.argv.slice(2);
const file = join(folder, 'workspace.db');

async function openShared(at: string) {
  const store = await openPostgresStore(at);
  return { store, ...(await openSharedWorkspace(file, store)) };
}

async function openFolder() {
  return { store: await openRecordStore(join(folder, 'records.db')), workspace: await openWorkspace(file) };
}

const { store, workspace } = address === undefined ? await openFolder() : await openShared(address);
const told =
  <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
  async (...given: Given): Promise<Result> => {
    const result = await work(...given);
    writeSync(1, 'slice\n');
    return result;
  };
Object.assign(store.checks, { write: told(store.checks.write.bind(store.checks)) });
Object.assign(store.derived, { step: told(store.derived.step.bind(store.derived)) });
const log = (line: string) => void writeSync(2, `${line}\n`);
const judging = createValidation({
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
judging.wake();
for (const work of [judging.rebuilder, judging.checks, judging.relations]) await work.idle();
await judging.close();
await workspace.close();
await store.close();
