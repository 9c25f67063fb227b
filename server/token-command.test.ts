import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from './testing/run-cli.ts';
import { startTestServer } from './testing/test-server.ts';
import { openWorkspace } from './workspace/workspace.ts';
import { hashToken } from './access/secret.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'chartkeeper-token-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const cli = (...parameters: string[]) => runCli(['token', ...parameters, '--data', data]);

test('a token is made, listed without itself, and revoked', async () => {
  const made = await cli(
    'create',
    '--name',
    'lab feed',
    '--scope',
    'system/CarePlan.read',
    'system/Composition.cu',
    '--expires',
    '90d',
  );
  expect(made.code).toBe(0);
  const [, id = '', token = ''] = /^id {5}(\S+)\ntoken {2}([A-Za-z0-9_-]{43})\n$/.exec(made.stdout) ?? [];
  const workspace = await openWorkspace(join(data, 'workspace.db'));
  expect(workspace.tokens.find(hashToken(token))).toMatchObject({ id, name: 'lab feed' });
  await workspace.close();
  expect((await stat(join(data, 'workspace.db'))).mode & 0o777).toBe(0o600);

  const list = await cli('list');
  expect(list.stdout).toMatch(
    new RegExp(`^${id}  lab feed  active +system/CarePlan.read system/Composition.cu  20`, 'm'),
  );
  expect(list.stdout).not.toContain(token);

  expect(await cli('revoke', id)).toEqual({ code: 0, stdout: 'lab feed is revoked.\n', stderr: '' });
  expect((await cli('list')).stdout).toMatch(/lab feed {2}revoked/);
});

test.each([
  [['create', '--name', 'x', '--scope', 'openid'], /^A scope is like system\/CarePlan\.read/],
  [['create', '--name', 'owner', '--scope', 'system/*.*'], /^A name is 1 to 100/],
  [['create', '--name', 'x', '--scope', 'system/*.*', '--expires', 'soon'], /^--expires takes a number/],
  [['revoke', 'nobody'], /^No token has this id/],
])('%j ends with 1 and a sentence', async (parameters, sentence) => {
  expect(await cli(...parameters)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(sentence),
  });
});

test('a data folder that is being served is refused', async () => {
  const server = await startTestServer();
  const answer = await runCli(['token', 'list', '--data', server.dataDir]);
  expect(answer).toMatchObject({
    code: 11,
    stdout: '',
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
  await server.remove();
});
