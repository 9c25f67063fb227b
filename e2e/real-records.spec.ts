import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from './fixtures.ts';
import { commandLine, copyDataDir, makeDataDir, removeDataDir, startTestServer } from './server.ts';
import { Workbench } from './workbench.ts';

const records = resolve(import.meta.dirname, '../../shared/data/synthea-careplans.ndjson');

test('finds an imported record in the page by the bare id of its patient @search @browser', async ({
  page,
}) => {
  test.skip(!existsSync(records), 'not run: the records are not on this machine');
  const dataDir = await makeDataDir();
  const importedFolder = await makeDataDir();
  execFileSync(process.execPath, [commandLine, 'import', records, '--data', importedFolder]);
  await copyDataDir(importedFolder, dataDir);
  const server = await startTestServer(dataDir);
  const workbench = new Workbench(page);
  await workbench.open(await server.link());
  // The record has "urn:uuid:" before this id.
  await workbench.search('CarePlan', { patient: '018f428e-34f6-4707-8009-5ad742f901e7' });
  await expect(workbench.rows(/Physical therapy/).first()).toBeVisible();
  await server.stop();
  await removeDataDir(importedFolder);
  await removeDataDir(dataDir);
});
