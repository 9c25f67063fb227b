import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inheritFrom, type Principal } from '../access/principal.ts';
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

test('ends a session 12 hours after its last use', () => {
  const { token, principal } = workspace.sessions.begin(grant);
  for (let turn = 0; turn < 5; turn += 1) {
    now += 11 * hour;
    expect(find(token)).toEqual(principal);
  }
  now += 12 * hour;
  expect(find(token)).toBe('expired');
  expect(workspace.sessions.list()).toEqual([]);
});

test('keeps a session and its last use across a restart', async () => {
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

test('reports an idle session as expired for a day and then removes it', async () => {
  const { token } = workspace.sessions.begin(grant);
  now += 37 * hour;
  workspace.sessions.begin(grant);
  await workspace.close();
  workspace = await open();
  expect(find(token)).toBeUndefined();
});

test('ends a provider session 12 hours after its start, regardless of use and restarts', async () => {
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

test('ends all sessions of a subject with one of them, and no others', async () => {
  const [firstSession, secondSession] = [1, 2].map(() =>
    workspace.sessions.begin({ ...grant, subject: 'a' }),
  );
  const otherSessions = [
    workspace.sessions.begin({ ...grant, subject: 'b' }),
    workspace.sessions.begin(grant),
  ];
  expect(workspace.sessions.end(firstSession?.principal.id ?? '')).toBe(true);
  await workspace.close();
  workspace = await open();
  expect([find(firstSession?.token ?? ''), find(secondSession?.token ?? '')]).toEqual([undefined, undefined]);
  for (const { token, principal } of otherSessions) expect(find(token)).toEqual(principal);
});

/** Starts a session from a code of a principal. */
const sessionOf = (maker: Principal) =>
  workspace.sessions.begin({ name: maker.name, scopes: maker.scopes, ...inheritFrom(maker) });
const mintAs = (maker: Principal) =>
  workspace.tokens.mint({ name: 'tool', scopes: ['system/*.*'] }, inheritFrom(maker));
const findToken = (token: string) => workspace.tokens.find(hashToken(token));
const principalIn = (lookup: ReturnType<typeof find>): Principal => {
  if (typeof lookup !== 'object') throw new Error('The credential is not taken.');
  return lookup;
};

test('limits one provider sign-in to 12 hours over all its codes and tokens', async () => {
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
  const lastSession = sessionOf(newest);
  const lastGrant = { ...grant, ...inheritFrom(newest) };
  const byToken = sessionOf(principalIn(findToken(minted)));
  now = until - 1;
  expect([find(lastSession.token), findToken(minted)].map((lookup) => typeof lookup)).toEqual([
    'object',
    'object',
  ]);
  expect(workspace.sessions.mayBegin(lastGrant)).toBe(true);
  now = until;
  for (const lookup of [
    find(lastSession.token),
    find(byToken.token),
    findToken(minted),
    findToken(issued.token),
  ])
    expect(typeof lookup).not.toBe('object');
  expect(workspace.sessions.mayBegin(lastGrant)).toBe(false);
  expect(workspace.sessions.mayBegin({ ...grant, until })).toBe(false);
});

test('ends everything derived from a session with it, and nothing else', async () => {
  const { token, principal } = workspace.sessions.begin(grant);
  const otherSession = workspace.sessions.begin(grant);
  const derivedSession = sessionOf(principalIn(find(token)));
  const minted = await mintAs(principalIn(find(derivedSession.token)));
  const issued = await workspace.tokens.issue(principalIn(findToken(minted.token)), ['system/*.*'], 3600);
  const mintedAgain = await mintAs(principalIn(findToken(issued.token)));
  const lastSession = sessionOf(principalIn(findToken(mintedAgain.token)));
  await workspace.close();
  workspace = await open();
  const states = () => [
    typeof find(derivedSession.token),
    ...[minted, issued, mintedAgain].map((token) => typeof findToken(token.token)),
    typeof find(lastSession.token),
  ];
  expect(states()).toEqual(Array(5).fill('object'));
  expect(principalIn(find(lastSession.token)).mintedBy).toBe(mintedAgain.id);
  workspace.sessions.end(principal.id);
  expect(states()).toEqual(Array(5).fill('undefined'));
  expect(workspace.sessions.list().map(({ id }) => id)).toEqual([otherSession.principal.id]);
  expect((await workspace.tokens.list()).map(({ ended: isEnded }) => isEnded)).toEqual([true, true]);
});

test('limits a session to the expiry of the token that created it', async () => {
  const tokenRequest = { name: 'tool', scopes: ['system/*.*'], expiresIn: 3600 };
  const { token } = await workspace.tokens.mint(tokenRequest);
  const session = sessionOf(principalIn(findToken(token)));
  expect(session.expires).toBe(new Date(now + hour).toISOString());
});

test('ends a session of an older version with its token', async () => {
  const minted = await workspace.tokens.mint({ name: 'tool', scopes: ['system/*.*'] });
  const { token } = workspace.sessions.begin({ ...grant, mintedBy: minted.id });
  expect(typeof find(token)).toBe('object');
  await workspace.tokens.revoke(minted.id);
  expect(find(token)).toBeUndefined();
});

test('ends the first session of a person with one of its derived sessions', () => {
  const { token, principal } = workspace.sessions.begin({ ...grant, subject: 'a' });
  const derivedSession = sessionOf(principal);
  expect(derivedSession.principal.subject).toBe('a');
  workspace.sessions.end(derivedSession.principal.id);
  expect(find(token)).toBeUndefined();
});

test('ends derived sessions after 12 idle hours of their session, regardless of their use', async () => {
  const firstSession = workspace.sessions.begin(grant);
  const derivedSession = sessionOf(firstSession.principal);
  const minted = await mintAs(firstSession.principal);
  for (let turn = 0; turn < 2; turn += 1) {
    now += 6 * hour;
    find(derivedSession.token);
  }
  expect(find(firstSession.token)).toBe('expired');
  expect([find(derivedSession.token), findToken(minted.token)]).toEqual([undefined, undefined]);
});

test('keeps derived sessions and tokens of the owner', async () => {
  const owner = { id: 'owner', name: 'owner', scopes: ['system/*.*'], kind: 'owner', seat: true } as const;
  const { token } = sessionOf(owner);
  const minted = await mintAs(owner);
  now += 11 * hour;
  expect([typeof find(token), typeof findToken(minted.token)]).toEqual(['object', 'object']);
});

test('keeps an unwritten use when the sessions are reloaded', () => {
  const { token } = workspace.sessions.begin(grant);
  now += 11 * hour;
  find(token);
  workspace.sessions.reread();
  now += 2 * hour;
  expect(typeof find(token)).toBe('object');
});

test('counts no use when a session is checked', () => {
  const { token } = workspace.sessions.begin(grant);
  now += 11 * hour;
  expect(workspace.sessions.isTaken(hashToken(token))).toBe(true);
  now += hour;
  expect(workspace.sessions.isTaken(hashToken(token))).toBe(false);
  expect(find(token)).toBe('expired');
});
