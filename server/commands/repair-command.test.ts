import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptFolder } from '../testing/kept-folder.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan } from '../testing/test-server.ts';

const type = '/fhir-r4/v1/CarePlan';

let folder: KeptFolder;
/** Ids of a record whose two versions are in the backup and of a record that is not. */
let backedUpId: string;
let lateId: string;
let backup: string;

beforeEach(async () => {
  folder = await KeptFolder.make(Date.now());
  await folder.start();
  backedUpId = await create('One');
  await folder.send('PUT', `${type}/${backedUpId}`, createPlan('Two'));
  backup = (await folder.send('POST', '/app/backups', '{}')).json.name;
  lateId = await create('Late');
  await folder.stop();
});
afterEach(() => folder.remove());

const createPlan = (title: string) => carePlan('Patient/p', `,"title":"${title}"`);

async function create(title: string): Promise<string> {
  return (await folder.send('POST', type, createPlan(title))).json.id;
}

async function damage(...ids: string[]): Promise<void> {
  const list = ids.map((id) => `'${id}'`).join(', ');
  await folder.tamper(`UPDATE version SET body = 'X' || substr(body, 2) WHERE id IN (${list})`);
}

const repair = (...parameters: string[]) => runCli(['repair', '--data', folder.path, ...parameters]);

/** Returns status, title and version of a record from a server over the folder. */
async function readRecord(id: string): Promise<unknown[]> {
  await folder.start();
  const { status, json } = await folder.send('GET', `${type}/${id}`);
  await folder.stop();
  return [status, json.title, json.meta?.versionId];
}

test('lists damaged texts and their possible repairs without changes', async () => {
  await damage(backedUpId, lateId);
  const { code, stdout, stderr } = await repair();
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout.split('\n').sort()).toEqual(
    [
      '',
      `CarePlan/${backedUpId}, version 2: damaged; would be repaired with version 2 from ${backup}.`,
      `CarePlan/${backedUpId}, version 1: damaged; the record continues without this older version; would be restored from ${backup}.`,
      `CarePlan/${lateId}, version 1: damaged; no intact version found. Name a file that contains it with --from.`,
      '3 texts read, 3 damaged: nothing was changed; use --write to repair.',
    ].sort(),
  );
  expect(await readRecord(backedUpId)).toEqual([500, undefined, undefined]);
});

test('--write repairs with the latest intact version and restores older texts', async () => {
  await damage(backedUpId);
  const { code, stdout } = await repair('--write');
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, '3 texts read, 2 damaged: all repaired.']);
  expect(stdout).toContain(
    `CarePlan/${backedUpId}, version 2: repaired with version 2 from ${backup}, as version 3.\n`,
  );
  expect(await readRecord(backedUpId)).toEqual([200, 'Two', '3']);
  expect(await folder.verify()).toEqual([]);
  expect((await repair()).stdout).toBe('4 texts read, 0 damaged: nothing to repair.\n');
});

test('--from repairs with the records of a file or of another backup', async () => {
  await damage(backedUpId, lateId);
  const file = join(folder.path, 'records.ndjson');
  await writeFile(file, `${JSON.stringify({ ...JSON.parse(createPlan('Found')), id: lateId })}\n`);
  const { code, stdout } = await repair('--write', '--from', file);
  expect([code, stdout.split('\n').at(-2)]).toEqual([
    1,
    '3 texts read, 3 damaged: 1 record and 2 older versions still damaged.',
  ]);
  expect(await readRecord(lateId)).toEqual([200, 'Found', '2']);
  const from = join(folder.path, 'backups', backup);
  expect((await repair('--write', '--from', from)).stdout).toContain(
    `version 2 from ${backup}, as version 3`,
  );
  expect(await readRecord(backedUpId)).toEqual([200, 'Two', '3']);
});

test('changes nothing if the file is missing or a server uses the folder', async () => {
  expect(await repair('--from', join(folder.path, 'none.ndjson'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/doesn’t exist/),
  });
  await folder.start();
  expect(await repair()).toMatchObject({ code: 11, stderr: expect.stringMatching(/in use/) });
});
