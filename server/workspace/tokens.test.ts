import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashToken } from '../access/secret.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
let folder: string;
let now: number;
let workspace: Workspace;

const open = () => openWorkspace(join(folder, 'workspace.db'), () => now);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-tokens-'));
  now = start;
  workspace = await open();
});
afterEach(async () => {
  await workspace.close();
  await rm(folder, { recursive: true, force: true });
});

const request = { name: 'lab', scopes: ['system/CarePlan.rs', 'system/Composition.read'] };
const find = (token: string) => workspace.tokens.find(hashToken(token));
const holder = async (token: string) => {
  const lookup = find(token);
  if (typeof lookup !== 'object') throw new Error('not found');
  return Promise.resolve(lookup);
};

test('finds a token by its hash across a restart and stores it in no file', async () => {
  const { id, token } = await workspace.tokens.mint(request);
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  await workspace.close();
  for (const name of await readdir(folder)) {
    expect((await readFile(join(folder, name))).includes(token)).toBe(false);
  }
  workspace = await open();
  expect(find(token)).toEqual({ id, ...request, kind: 'minted' });
  expect(workspace.tokens.find(token)).toBeUndefined();
});

test('expires a token to the millisecond', async () => {
  const { token } = await workspace.tokens.mint({ ...request, expiresIn: 60 });
  now += 59_999;
  expect(find(token)).toMatchObject({ name: 'lab' });
  now += 1;
  expect(find(token)).toBe('expired');
});

test('rejects a revoked token and its access tokens at once and keeps it in the list', async () => {
  const { id, token } = await workspace.tokens.mint(request);
  const issued = await workspace.tokens.issue(await holder(token), ['system/CarePlan.r'], 3600);
  expect(find(issued.token)).toEqual({ id, name: 'lab', scopes: ['system/CarePlan.r'], kind: 'issued' });
  now += 1000;
  expect(await workspace.tokens.revoke(id)).toMatchObject({ id, revoked: '2026-01-01T00:00:01.000Z' });
  expect([find(token), find(issued.token)]).toEqual([undefined, undefined]);
  now += 1000;
  expect(await workspace.tokens.revoke(id)).toMatchObject({ revoked: '2026-01-01T00:00:01.000Z' });
  expect(await workspace.tokens.revoke('nobody')).toBeUndefined();
  expect(await workspace.tokens.list()).toMatchObject([{ id, revoked: '2026-01-01T00:00:01.000Z' }]);
});

test('limits an access token to the expiry of its token', async () => {
  const { token } = await workspace.tokens.mint({ ...request, expiresIn: 100 });
  const issued = await workspace.tokens.issue(await holder(token), request.scopes, 3600);
  expect(issued.seconds).toBe(100);
  now += 100_000;
  expect(find(issued.token)).toBe('expired');
});

test('reports an access token as expired for a day and then removes it', async () => {
  const { token } = await workspace.tokens.mint(request);
  const issued = await workspace.tokens.issue(await holder(token), request.scopes, 3600);
  now += 3600_000;
  expect(find(issued.token)).toBe('expired');
  now += 86_400_001;
  await workspace.tokens.issue(await holder(token), request.scopes, 3600);
  expect(find(issued.token)).toBeUndefined();
});

test('lists the last use and writes it at most once a minute', async () => {
  const { id } = await workspace.tokens.mint(request);
  const lastUsed = async () => (await workspace.tokens.list())[0]?.lastUsed;
  expect(await lastUsed()).toBeUndefined();
  workspace.tokens.used(id);
  expect(await lastUsed()).toBe('2026-01-01T00:00:00.000Z');
  now += 59_999;
  workspace.tokens.used(id);
  expect(await lastUsed()).toBe('2026-01-01T00:00:00.000Z');
  now += 1;
  workspace.tokens.used(id);
  expect(await lastUsed()).toBe('2026-01-01T00:01:00.000Z');
});

test('keeps a use shortly before the close', async () => {
  const { id } = await workspace.tokens.mint(request);
  workspace.tokens.used(id);
  await workspace.close();
  workspace = await open();
  expect(await workspace.tokens.list()).toMatchObject([{ id, lastUsed: '2026-01-01T00:00:00.000Z' }]);
});
