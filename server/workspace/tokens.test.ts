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
  const found = find(token);
  if (typeof found !== 'object') throw new Error('not found');
  return Promise.resolve(found);
};

test('a minted token is found by its hash, also after a new start; the token itself is in no file', async () => {
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

test('a token expires to the millisecond', async () => {
  const { token } = await workspace.tokens.mint({ ...request, expiresIn: 60 });
  now += 59_999;
  expect(find(token)).toMatchObject({ name: 'lab' });
  now += 1;
  expect(find(token)).toBe('expired');
});

test('a revoked token is unknown at once, and so is what it obtained; the list keeps it', async () => {
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

test('an issued token never outlives the minted one', async () => {
  const { token } = await workspace.tokens.mint({ ...request, expiresIn: 100 });
  const issued = await workspace.tokens.issue(await holder(token), request.scopes, 3600);
  expect(issued.seconds).toBe(100);
  now += 100_000;
  expect(find(issued.token)).toBe('expired');
});

test('an issued token is called expired for a day, then forgotten', async () => {
  const { token } = await workspace.tokens.mint(request);
  const issued = await workspace.tokens.issue(await holder(token), request.scopes, 3600);
  now += 3600_000;
  expect(find(issued.token)).toBe('expired');
  now += 86_400_001;
  await workspace.tokens.issue(await holder(token), request.scopes, 3600);
  expect(find(issued.token)).toBeUndefined();
});

test('the last use is listed, and written at most once a minute', async () => {
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

test('a use shortly before the end is not lost', async () => {
  const { id } = await workspace.tokens.mint(request);
  workspace.tokens.used(id);
  await workspace.close();
  workspace = await open();
  expect(await workspace.tokens.list()).toMatchObject([{ id, lastUsed: '2026-01-01T00:00:00.000Z' }]);
});
