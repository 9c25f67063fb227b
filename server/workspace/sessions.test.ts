import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashToken } from '../access/secret.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

let folder: string;
let now: number;
let workspace: Workspace;

const open = () => openWorkspace(join(folder, 'workspace.db'), () => now);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-sessions-'));
  now = Date.parse('2026-01-01T00:00:00.000Z');
  workspace = await open();
});
afterEach(async () => {
  await workspace.close();
  await rm(folder, { recursive: true, force: true });
});

const hour = 3_600_000;
const grant = { name: 'owner', scopes: ['system/*.*', 'user/*.read'] };
const find = (token: string) => workspace.sessions.find(hashToken(token));

test('a session ends 12 hours after its last use, not after its beginning', () => {
  const { token, principal } = workspace.sessions.begin(grant);
  for (let turn = 0; turn < 5; turn += 1) {
    now += 11 * hour;
    expect(find(token)).toEqual(principal);
  }
  now += 12 * hour;
  expect(find(token)).toBe('expired');
  expect(workspace.sessions.list()).toEqual([]);
});

test('a session and its last use outlive a restart', async () => {
  const { token, principal } = workspace.sessions.begin(grant);
  now += 11 * hour;
  find(token);
  await workspace.close();
  now += 11 * hour;
  workspace = await open();
  expect(find(token)).toEqual({ ...principal, ...grant, kind: 'session' });
  expect(workspace.sessions.end(principal.id)).toBe(true);
  await workspace.close();
  workspace = await open();
  expect(find(token)).toBeUndefined();
  expect(workspace.sessions.end(principal.id)).toBe(false);
});

test('a session that was left is called expired for a day, then forgotten', async () => {
  const { token } = workspace.sessions.begin(grant);
  now += 37 * hour;
  workspace.sessions.begin(grant);
  await workspace.close();
  workspace = await open();
  expect(find(token)).toBeUndefined();
});

test('a session of a provider’s subject ends 12 hours after its beginning, however it is used, over restarts too', async () => {
  const { token, principal } = workspace.sessions.begin({ ...grant, subject: 'a' });
  now += 6 * hour;
  await workspace.close();
  workspace = await open();
  expect(find(token)).toEqual(principal);
  expect(principal.subject).toBe('a');
  now += 6 * hour;
  expect(find(token)).toBe('expired');
  expect(workspace.sessions.list()).toEqual([]);
});

test('the end of one of a subject’s sessions is that of all, for good, and of nobody else’s', async () => {
  const [one, other] = [1, 2].map(() => workspace.sessions.begin({ ...grant, subject: 'a' }));
  const others = [workspace.sessions.begin({ ...grant, subject: 'b' }), workspace.sessions.begin(grant)];
  expect(workspace.sessions.end(one?.principal.id ?? '')).toBe(true);
  await workspace.close();
  workspace = await open();
  expect([find(one?.token ?? ''), find(other?.token ?? '')]).toEqual([undefined, undefined]);
  for (const { token, principal } of others) expect(find(token)).toEqual(principal);
});
