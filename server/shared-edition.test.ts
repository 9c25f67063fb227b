import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadShared } from './shared-edition.ts';
import { runCli } from './testing/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-desktop-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const store = ['--store', 'postgres://chartkeeper@127.0.0.1:1/chartkeeper'];

test.each([
  ['serve', ['--port', '0', ...store]],
  ['serve', ['--port', '0', '--openid', 'openid.json']],
  ['link', store],
  ['token', ['list', ...store]],
  ['packages', ['list', ...store]],
  ['migrate', [...store, '--server-role', 'chartkeeper']],
  ['move', ['--from', 'here', '--to', 'postgres://chartkeeper@127.0.0.1:1/chartkeeper']],
])('a build without the shared edition refuses %s %j with one sentence', async (command, parameters) => {
  const data = command === 'serve' ? ['--data', folder] : [];
  expect(await runCli([command, ...parameters, ...data])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^This edition of Chartkeeper keeps its records in a data folder\. .*\.\n$/,
    ),
  });
});

test('passes on other errors of a module', async () => {
  const error = new Error('broken');
  await expect(loadShared(Promise.reject(error))).rejects.toBe(error);
});
