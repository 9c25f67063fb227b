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

/** Parses id and token from the output of `token create`. */
function parseCreatedToken(stdout: string): readonly [id: string, token: string] {
  const [, id = '', token = ''] = /^id {5}(\S+)\ntoken {2}([A-Za-z0-9_-]{43})\n$/.exec(stdout) ?? [];
  return [id, token];
}

describe.each(commandPlaces.map((commandPlace) => [commandPlace.name, commandPlace] as const))(
  '%s',
  (_, kind) => {
    describe.skipIf(kind.lacking)('tokens', () => {
      let place: TestPlace;
      beforeEach(async () => {
        place = await kind.make();
      });
      afterEach(() => place.remove());
      const cli = (...parameters: string[]) => runCli(['token', ...parameters, ...place.flags]);

      test('creates a token, lists it without its secret and revokes it', async () => {
        const creation = await cli('create', ...feed, '--expires', '90d');
        expect([creation.code, creation.stderr]).toEqual([
          0,
          'Store the token now: it is not shown again.\n',
        ]);
        const [id, token] = parseCreatedToken(creation.stdout);
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
        [
          ['create', '--name', 'x', '--scope', 'system/*.*', '--expires', 'soon'],
          /^--expires needs a number/,
        ],
        [['revoke', 'nobody'], /^There is no token with this ID/],
      ])('%j exits with 1 and a message', async (parameters, sentence) => {
        expect(await cli(...parameters)).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(sentence),
        });
      });
    });
  },
);

test('stores a token in the workspace, which has mode 0600', async () => {
  const data = mkdtempSync(join(tmpdir(), 'chartkeeper-token-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const [id, token] = parseCreatedToken((await runCli(['token', 'create', ...feed, '--data', data])).stdout);
  const workspace = await openWorkspace(join(data, 'workspace.db'));
  expect(workspace.tokens.find(hashToken(token))).toMatchObject({ id, name: 'lab feed' });
  await workspace.close();
  expect(statSync(join(data, 'workspace.db')).mode & 0o777).toBe(0o600);
});

test('rejects a data folder that a server uses', async () => {
  const server = await startTestServer();
  const result = await runCli(['token', 'list', '--data', server.dataDir]);
  expect(result).toMatchObject({
    code: 11,
    stdout: '',
    stderr: expect.stringMatching(/in use by another Chartkeeper/),
  });
  await server.remove();
});
