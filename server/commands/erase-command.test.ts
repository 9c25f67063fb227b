import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKeyMadeIn } from '../audit-key.ts';
import { openRecords } from '../start.ts';
import { runCli } from '../testing/run-cli.ts';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { openWorkspace } from '../workspace/workspace.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-erase-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const cli = (...parameters: string[]) => runCli([...parameters, '--data', dataDir]);

async function store(title: string): Promise<string> {
  const { store: records, service } = await openRecords(dataDir);
  const text = carePlan('Patient/p', `,"title":"${title}"`);
  const { version } = await service.create({ type: 'CarePlan', author: 'test', text });
  await records.close();
  return version.id;
}

async function count(): Promise<number> {
  const { store: records } = await openRecords(dataDir);
  const { CarePlan } = await records.count();
  await records.close();
  return CarePlan;
}

test('erases a record and excludes it from later restores of older backups', async () => {
  const id = await store('One');
  await store('Two');
  const workspace = await openWorkspace(join(dataDir, 'workspace.db'));
  const older = join(dataDir, 'backups', 'workspace-2026-01-01T00-00-00-000Z-asked.db');
  const backup = (await cli('backup')).stdout.trim();
  await workspace.backUp(older);
  await workspace.close();

  const erasure = await cli('erase', `CarePlan/${id}`, '--reason', 'Asked for.');
  expect([erasure.code, erasure.stderr]).toEqual([0, '']);
  expect(erasure.stdout).toContain(`CarePlan/${id} erased with all its versions.`);
  expect(erasure.stdout).toContain(basename(backup));
  expect(erasure.stdout).not.toContain(basename(older));
  expect(await count()).toBe(1);

  expect((await cli('restore', older)).code).toBe(0);
  const restoration = await cli('restore', backup);
  expect([restoration.code, restoration.stdout]).toEqual([
    0,
    expect.stringContaining(`CarePlan/${id} was erased`),
  ]);
  expect(await count()).toBe(1);
  expect((await cli('verify')).code).toBe(0);
});

test('names backups in the secondary folder, or that the folder is unreachable', async () => {
  const secondaryFolder = await mkdtemp(join(tmpdir(), 'chartkeeper-second-'));
  const id = await store('One');
  const otherId = await store('Two');
  const copy = basename((await cli('backup', '--second-backups', secondaryFolder)).stdout.trim());
  await rm(join(dataDir, 'backups'), { recursive: true });
  const erasure = await cli('erase', `CarePlan/${id}`, '--reason', 'Asked for.');
  expect(erasure.stdout).toContain(`${copy} (second location)\n`);
  await rm(secondaryFolder, { recursive: true });
  const unreachable = await cli('erase', `CarePlan/${otherId}`, '--reason', 'Asked for.');
  expect(unreachable.stdout).toContain(`Can’t check ${secondaryFolder}`);
  expect(unreachable.stdout).not.toContain('No backup contains it.');
});

test('reports a missing record, a missing reason and a folder that a server uses', async () => {
  await store('One');
  expect(await cli('erase', 'CarePlan/none', '--reason', 'x')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no CarePlan with this ID') as string,
  });
  expect((await cli('erase', 'CarePlan/none')).code).toBe(1);
  expect((await cli('erase', 'none', '--reason', 'x')).stderr).toContain(
    'Name the record by a FHIR R4 resource type',
  );
  const server = await startTestServer();
  try {
    const { json } = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/p'));
    const rejection = await runCli([
      'erase',
      `CarePlan/${json.id}`,
      '--reason',
      'x',
      '--data',
      server.dataDir,
    ]);
    expect(rejection).toMatchObject({ code: 11, stderr: expect.stringContaining('in use') as string });
  } finally {
    await server.remove();
  }
});

test('seals erasures of server, command line and restore with the audit key', async () => {
  const file = join(dataDir, 'audit.key');
  const auditKey = await auditKeyMadeIn(file);
  const { store: records, service } = await openRecords(dataDir, { auditKey });
  const ids: string[] = [];
  for (let number = 0; number < 2; number += 1) {
    const text = carePlan('Patient/p', `,"title":"${number}"`);
    ids.push((await service.create({ type: 'CarePlan', author: 'test', text })).version.id);
  }
  const [firstId = '', secondId = ''] = ids;
  const backup = join(dataDir, 'backups', 'records-2026-01-01T00-00-00-000Z-asked.db');
  await records.files.backUp(backup);
  const erasure = {
    type: 'CarePlan',
    id: firstId,
    reason: 'Asked for.',
    time: '2026-01-02T00:00:00.000Z',
  } as const;
  await records.erase([{ ...erasure, who: 'test' }]);
  await records.close();

  const cliWithKey = (...parameters: string[]) => cli(...parameters, '--audit-key-file', file);
  expect(await cliWithKey('verify')).toMatchObject({ code: 0 });
  expect(await cliWithKey('erase', `CarePlan/${secondId}`, '--reason', 'Asked for.')).toMatchObject({
    code: 0,
  });
  expect(await cliWithKey('verify')).toMatchObject({ code: 0 });
  const restoration = await cliWithKey('restore', backup);
  expect(restoration.stdout).toContain(`CarePlan/${secondId} was erased`);
  expect(await cliWithKey('verify')).toMatchObject({ code: 0 });
});
