import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { runCli } from '../testing/run-cli.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-audit-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

interface Event {
  readonly action: string;
  readonly agent: readonly { readonly name?: string }[];
  readonly entity: readonly { readonly name?: string; readonly what?: { readonly reference: string } }[];
}

async function readEvents(folder = dataDir): Promise<Event[]> {
  const { code, stdout, stderr } = await runCli(['audit', '--data', folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Event);
}

test('prints writes and reads over HTTP, including entries queued when the server closed', async () => {
  const server = await startTestServer();
  const creation = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { id } = creation.json;
  await server.send('GET', `/fhir-r4/v1/CarePlan/${id}`);
  await server.close();
  // The stop may have added an entry for a backup.
  const resourceEvents = (await readEvents(server.dataDir)).filter(
    ({ entity }) => entity[0]?.what !== undefined,
  );
  expect(resourceEvents.map(({ action, entity }) => [action, entity[0]?.what?.reference])).toEqual([
    ['C', `CarePlan/${id}/_history/1`],
    ['R', `CarePlan/${id}`],
  ]);
  await server.remove();
});

test('prints an entry for each token, backup and restore of the command line', async () => {
  const tokenCreation = await runCli([
    'token',
    'create',
    '--name',
    'lab',
    '--scope',
    'system/*.r',
    '--data',
    dataDir,
  ]);
  const [, id = ''] = /^id {5}(\S+)/.exec(tokenCreation.stdout) ?? [];
  await runCli(['token', 'revoke', id, '--data', dataDir]);
  const [backup = ''] = (await runCli(['backup', '--data', dataDir])).stdout.trim().split('/').slice(-1);
  const events = await readEvents();
  expect(events.map(({ action, entity }) => [action, entity[0]?.name])).toEqual([
    ['C', id],
    ['D', id],
    ['R', backup],
  ]);
  expect(events.every(({ agent }) => agent[0]?.name === 'owner')).toBe(true);
  await runCli(['restore', '--data', dataDir]);
  // A backup does not contain its own entry.
  expect((await readEvents()).map(({ action }) => action)).toEqual(['C', 'D', 'U']);
  expect((await runCli(['verify', '--data', dataDir])).code).toBe(0);
});

test('reports a folder without records', async () => {
  expect(await runCli(['audit', '--data', dataDir])).toMatchObject({
    code: 10,
    stdout: '',
    stderr: expect.stringMatching(/doesn’t exist/),
  });
});
