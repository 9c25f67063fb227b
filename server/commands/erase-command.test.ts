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

test('a record is erased by the command line; restores of records and workspace from before leave it out', async () => {
  const id = await store('One');
  await store('Two');
  const workspace = await openWorkspace(join(dataDir, 'workspace.db'));
  const older = join(dataDir, 'backups', 'workspace-2026-01-01T00-00-00-000Z-asked.db');
  const backup = (await cli('backup')).stdout.trim();
  await workspace.backUp(older);
  await workspace.close();

  const erased = await cli('erase', `CarePlan/${id}`, '--reason', 'Asked for.');
  expect([erased.code, erased.stderr]).toEqual([0, '']);
  expect(erased.stdout).toContain(`CarePlan/${id} erased with all its versions.`);
  expect(erased.stdout).toContain(basename(backup));
  expect(erased.stdout).not.toContain(basename(older));
  expect(await count()).toBe(1);

  expect((await cli('restore', older)).code).toBe(0);
  const restored = await cli('restore', backup);
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining(`CarePlan/${id} was erased`)]);
  expect(await count()).toBe(1);
  expect((await cli('verify')).code).toBe(0);
});

test('backups in the second place are named, and a place that is away', async () => {
  const place = await mkdtemp(join(tmpdir(), 'chartkeeper-second-'));
  const id = await store('One');
  const other = await store('Two');
  const copy = basename((await cli('backup', '--second-backups', place)).stdout.trim());
  await rm(join(dataDir, 'backups'), { recursive: true });
  const erased = await cli('erase', `CarePlan/${id}`, '--reason', 'Asked for.');
  expect(erased.stdout).toContain(`${copy} (second location)\n`);
  await rm(place, { recursive: true });
  const away = await cli('erase', `CarePlan/${other}`, '--reason', 'Asked for.');
  expect(away.stdout).toContain(`Can’t check ${place}`);
  expect(away.stdout).not.toContain('No backup contains it.');
});

test('what cannot be erased is said in a sentence: no record, no reason, a folder that is served', async () => {
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
    const refused = await runCli(['erase', `CarePlan/${json.id}`, '--reason', 'x', '--data', server.dataDir]);
    expect(refused).toMatchObject({ code: 11, stderr: expect.stringContaining('in use') as string });
  } finally {
    await server.remove();
  }
});

test('an erasure is sealed with the key that seals the trail, in the server, on the command line and by a restore', async () => {
  const file = join(dataDir, 'audit.key');
  const auditKey = await auditKeyMadeIn(file);
  const { store: records, service } = await openRecords(dataDir, { auditKey });
  const made: string[] = [];
  for (let number = 0; number < 2; number += 1) {
    const text = carePlan('Patient/p', `,"title":"${number}"`);
    made.push((await service.create({ type: 'CarePlan', author: 'test', text })).version.id);
  }
  const [first = '', second = ''] = made;
  const backup = join(dataDir, 'backups', 'records-2026-01-01T00-00-00-000Z-asked.db');
  await records.files.backUp(backup);
  const erasing = {
    type: 'CarePlan',
    id: first,
    reason: 'Asked for.',
    time: '2026-01-02T00:00:00.000Z',
  } as const;
  await records.erase([{ ...erasing, who: 'test' }]);
  await records.close();

  const keyed = (...parameters: string[]) => cli(...parameters, '--audit-key-file', file);
  expect(await keyed('verify')).toMatchObject({ code: 0 });
  expect(await keyed('erase', `CarePlan/${second}`, '--reason', 'Asked for.')).toMatchObject({ code: 0 });
  expect(await keyed('verify')).toMatchObject({ code: 0 });
  const restored = await keyed('restore', backup);
  expect(restored.stdout).toContain(`CarePlan/${second} was erased`);
  expect(await keyed('verify')).toMatchObject({ code: 0 });
});
