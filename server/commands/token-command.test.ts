import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hashToken } from '../access/secret.ts';
import { commandPlaces, type TestPlace } from '../testing/command-places.ts';
import { runCli } from '../testing/run-cli.ts';
import { startTestServer } from '../testing/test-server.ts';
import { openWorkspace } from '../workspace/workspace.ts';

const feed = ['--name', 'lab feed', '--scope', 'system/CarePlan.read', 'system/Composition.cu'];

/** The id and the token that `token create` printed. */
function madeIn(stdout: string): readonly [id: string, token: string] {
  const [, id = '', token = ''] = /^id {5}(\S+)\ntoken {2}([A-Za-z0-9_-]{43})\n$/.exec(stdout) ?? [];
  return [id, token];
}

describe.each(commandPlaces.map((one) => [one.name, one] as const))('%s', (_, kind) => {
  describe.skipIf(kind.lacking)('tokens', () => {
    let place: TestPlace;
    beforeEach(async () => {
      place = await kind.make();
    });
    afterEach(() => place.remove());
    const cli = (...parameters: string[]) => runCli(['token', ...parameters, ...place.flags]);

    test('a token is made, listed without itself, and revoked', async () => {
      const made = await cli('create', ...feed, '--expires', '90d');
      expect([made.code, made.stderr]).toEqual([0, 'Store the token now: it is not shown again.\n']);
      const [id, token] = madeIn(made.stdout);
      expect(token).not.toBe('');
      const list = await cli('list');
      expect(list.stdout).toMatch(
        new RegExp(`^${id}  lab feed  active +system/CarePlan.read system/Composition.cu  20`, 'm'),
      );
      expect(list.stdout).not.toContain(token);
      expect(await cli('revoke', id)).toEqual({ code: 0, stdout: 'lab feed revoked.\n', stderr: '' });
      expect((await cli('list')).stdout).toMatch(/lab feed {2}revoked/);
    });

    test.each([
      [['create', '--name', 'x', '--scope', 'openid'], /^Use scopes such as system\/CarePlan\.read/],
      [['create', '--name', 'owner', '--scope', 'system/*.*'], /^A name must have 1 to 100/],
      [['create', '--name', 'x', '--scope', 'system/*.*', '--expires', 'soon'], /^--expires needs a number/],
      [['revoke', 'nobody'], /^There is no token with this ID/],
    ])('%j ends with 1 and a sentence', async (parameters, sentence) => {
      expect(await cli(...parameters)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
    });
  });
});

test('a token of a data folder is in its workspace, which nobody else may read', async () => {
  const data = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const [id, token] = madeIn((await runCli(['token', 'create', ...feed, '--data', data])).stdout);
  const workspace = await openWorkspace(join(data, 'workspace.db'));
  expect(workspace.tokens.find(hashToken(token))).toMatchObject({ id, name: 'lab feed' });
  await workspace.close();
  expect(statSync(join(data, 'workspace.db')).mode & 0o777).toBe(0o600);
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
