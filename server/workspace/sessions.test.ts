import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { derivedFrom, type Principal } from '../access/principal.ts';
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

/** A session of a code that a principal made. */
const sessionOf = (maker: Principal) =>
  workspace.sessions.begin({ name: maker.name, scopes: maker.scopes, ...derivedFrom(maker) });
const mintAs = (maker: Principal) =>
  workspace.tokens.mint({ name: 'tool', scopes: ['system/*.*'] }, derivedFrom(maker));
const findToken = (token: string) => workspace.tokens.find(hashToken(token));
const principalIn = (found: ReturnType<typeof find>): Principal => {
  if (typeof found !== 'object') throw new Error('The credential is not taken.');
  return found;
};

test('gives nobody more than 12 hours of one sign-in at a provider, by whatever codes and tokens', async () => {
  const until = now + 12 * hour;
  let { principal: newest } = workspace.sessions.begin({ ...grant, subject: 'a', until });
  const { token: minted } = await mintAs(newest);
  const issued = await workspace.tokens.issue(principalIn(findToken(minted)), ['system/*.*'], 24 * 3600);
  expect(issued.seconds).toBe(12 * 3600);
  for (let turn = 0; turn < 5; turn += 1) {
    now += 2 * hour;
    const next = sessionOf(newest);
    expect(next.expires).toBe(new Date(until).toISOString());
    newest = principalIn(find(next.token));
    await workspace.close();
    workspace = await open();
  }
  const last = sessionOf(newest);
  const lastGrant = { ...grant, ...derivedFrom(newest) };
  const byToken = sessionOf(principalIn(findToken(minted)));
  now = until - 1;
  expect([find(last.token), findToken(minted)].map((found) => typeof found)).toEqual(['object', 'object']);
  expect(workspace.sessions.mayBegin(lastGrant)).toBe(true);
  now = until;
  for (const found of [find(last.token), find(byToken.token), findToken(minted), findToken(issued.token)])
    expect(typeof found).not.toBe('object');
  expect(workspace.sessions.mayBegin(lastGrant)).toBe(false);
});

test('ends with a session all that was made of it, step by step, and nothing else', async () => {
  const { token, principal } = workspace.sessions.begin(grant);
  const other = workspace.sessions.begin(grant);
  const derived = sessionOf(principalIn(find(token)));
  const minted = await mintAs(principalIn(find(derived.token)));
  const issued = await workspace.tokens.issue(principalIn(findToken(minted.token)), ['system/*.*'], 3600);
  const mintedAgain = await mintAs(principalIn(findToken(issued.token)));
  const last = sessionOf(principalIn(findToken(mintedAgain.token)));
  await workspace.close();
  workspace = await open();
  const states = () => [
    typeof find(derived.token),
    ...[minted, issued, mintedAgain].map((one) => typeof findToken(one.token)),
    typeof find(last.token),
  ];
  expect(states()).toEqual(Array(5).fill('object'));
  expect(principalIn(find(last.token)).mintedBy).toBe(mintedAgain.id);
  workspace.sessions.end(principal.id);
  expect(states()).toEqual(Array(5).fill('undefined'));
  expect(workspace.sessions.list().map(({ id }) => id)).toEqual([other.principal.id]);
  expect((await workspace.tokens.list()).map(({ ended }) => ended)).toEqual([true, true]);
});

test('ends what a session made once that was left alone for 12 hours, however the rest is used', async () => {
  const first = workspace.sessions.begin(grant);
  const derived = sessionOf(first.principal);
  const minted = await mintAs(first.principal);
  for (let turn = 0; turn < 2; turn += 1) {
    now += 6 * hour;
    find(derived.token);
  }
  expect(find(first.token)).toBe('expired');
  expect([find(derived.token), findToken(minted.token)]).toEqual([undefined, undefined]);
});

test('keeps what the owner made, which ends with no sign-in', async () => {
  const owner = { id: 'owner', name: 'owner', scopes: ['system/*.*'], kind: 'owner', seat: true } as const;
  const { token } = sessionOf(owner);
  const minted = await mintAs(owner);
  now += 11 * hour;
  expect([typeof find(token), typeof findToken(minted.token)]).toEqual(['object', 'object']);
});

test('counts no use where somebody asks whether a session is taken', () => {
  const { token } = workspace.sessions.begin(grant);
  now += 11 * hour;
  expect(workspace.sessions.isTaken(hashToken(token))).toBe(true);
  now += hour;
  expect(workspace.sessions.isTaken(hashToken(token))).toBe(false);
  expect(find(token)).toBe('expired');
});
