import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carePlan, startTestServer } from '../testing/test-server.ts';
import { runCli } from '../testing/run-cli.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'chartkeeper-audit-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

interface Event {
  readonly action: string;
  readonly agent: readonly { readonly name?: string }[];
  readonly entity: readonly { readonly name?: string; readonly what?: { readonly reference: string } }[];
}

async function events(folder = data): Promise<Event[]> {
  const { code, stdout, stderr } = await runCli(['audit', '--data', folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Event);
}

test('the command line prints what was done over HTTP, and what was only gathered when the server closed', async () => {
  const server = await startTestServer();
  const made = await server.send('POST', '/fhir-r4/v1/CarePlan', carePlan('Patient/a'));
  const { id } = made.json;
  await server.send('GET', `/fhir-r4/v1/CarePlan/${id}`);
  await server.close();
  // The stop may have made a backup, which leaves an entry of its own.
  const found = (await events(server.dataDir)).filter(({ entity }) => entity[0]?.what !== undefined);
  expect(found.map(({ action, entity }) => [action, entity[0]?.what?.reference])).toEqual([
    ['C', `CarePlan/${id}/_history/1`],
    ['R', `CarePlan/${id}`],
  ]);
  await server.remove();
});

test('tokens, backups and restores of the command line leave an entry each', async () => {
  const made = await runCli(['token', 'create', '--name', 'lab', '--scope', 'system/*.r', '--data', data]);
  const [, id = ''] = /^id {5}(\S+)/.exec(made.stdout) ?? [];
  await runCli(['token', 'revoke', id, '--data', data]);
  const [backup = ''] = (await runCli(['backup', '--data', data])).stdout.trim().split('/').slice(-1);
  const kept = await events();
  expect(kept.map(({ action, entity }) => [action, entity[0]?.name])).toEqual([
    ['C', id],
    ['D', id],
    ['R', backup],
  ]);
  expect(kept.every(({ agent }) => agent[0]?.name === 'owner')).toBe(true);
  await runCli(['restore', '--data', data]);
  // The backup ends before its own entry.
  expect((await events()).map(({ action }) => action)).toEqual(['C', 'D', 'U']);
  expect((await runCli(['verify', '--data', data])).code).toBe(0);
});

test('a folder without records is told as such', async () => {
  expect(await runCli(['audit', '--data', data])).toMatchObject({
    code: 10,
    stdout: '',
    stderr: expect.stringMatching(/doesn’t exist/),
  });
});
