import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chromiumPaths } from './browser-window.ts';
import { waitForCli, runCli, spawnCli } from '../testing/run-cli.ts';

let folder: string;
let data: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-window-'));
  data = join(folder, 'data');
});
afterEach(async () => {
  delete process.env.CHARTKEEPER_CHROMIUM;
  await rm(folder, { recursive: true, force: true });
});

/** A browser that opens what it is told to, signs in as the page does, leaves what it saw, and then does as told. */
async function standIn(then: string): Promise<void> {
  const program = join(folder, 'browser.mjs');
  await writeFile(
    program,
    `#!/usr/bin/env node
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
const first = fileURLToPath(process.argv.find((one) => one.startsWith('--app=')).slice('--app='.length));
const link = JSON.parse(/replace\\((".*")\\)/.exec(readFileSync(first, 'utf8'))[1]);
const [origin, code] = link.split('/#code=');
const headers = { 'Content-Type': 'application/json' };
const answer = await fetch(origin + '/app/sign-in', { method: 'POST', headers, body: JSON.stringify({ code }) });
const seen = { argv: process.argv, code, origin, status: answer.status, mode: statSync(first).mode & 0o777 };
writeFileSync(${JSON.stringify(join(folder, 'seen.json'))}, JSON.stringify(seen));
${then}
`,
    { mode: 0o755 },
  );
  process.env.CHARTKEEPER_CHROMIUM = program;
}

const seen = async () => JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
const flags = () => ['--browser', '--port', '0', '--data', data];
const profiles = async () => (await readdir(data)).filter((name) => name.startsWith('browser-window-'));

test('--browser opens the page signed in, without a secret in the arguments, and ends when the browser is closed', async () => {
  await standIn('');
  await mkdir(join(data, 'browser-window-of-one-that-was-killed'), { recursive: true, mode: 0o700 });
  const { code, stdout } = await runCli(flags());
  expect(code).toBe(0);
  expect(stdout).toContain('Chartkeeper stops when you close it.');
  const found = await seen();
  expect(found.status).toBe(200);
  expect(found.mode).toBe(0o600);
  expect(found.code).toMatch(/^[\w-]{43}$/);
  expect(found.argv.join(' ')).not.toContain(found.code);
  expect(found.argv.join(' ')).toContain(`--user-data-dir=${join(data, 'browser-window-')}`);
  await expect(fetch(found.origin)).rejects.toThrow();
  expect(await profiles()).toEqual([]);
});

test('a browser that ends by a fault ends no server, and leaves nothing', async () => {
  await standIn('process.exit(1);');
  const child = spawnCli(flags());
  const ended = waitForCli(child);
  const said = await once(child.stderr ?? child, 'data');
  expect(String(said[0])).toContain('open the link above');
  expect((await fetch((await seen()).origin)).status).toBe(200);
  expect(await profiles()).toEqual([]);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test('a signal ends the window with the server', async () => {
  await standIn("process.on('SIGTERM', () => process.exit(0)); setInterval(() => undefined, 1000);");
  const child = spawnCli(flags());
  const ended = waitForCli(child);
  await expect.poll(() => existsSync(join(folder, 'seen.json'))).toBe(true);
  expect(await profiles()).toHaveLength(1);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(await profiles()).toEqual([]);
});

test('where there is no such browser it says so, and begins nothing', async () => {
  process.env.CHARTKEEPER_CHROMIUM = join(folder, 'none');
  const ended = await runCli(flags());
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(/^No Chromium, Chrome or Edge found\./);
  expect(existsSync(data)).toBe(false);
});

test.each([
  ['linux', { PATH: '/a:/b' }, ['/a/chromium', '/b/microsoft-edge']],
  ['darwin', { HOME: '/Users/x' }, ['/Applications/Chromium.app/Contents/MacOS/Chromium']],
  [
    'win32',
    { ProgramFiles: '/p', LOCALAPPDATA: '/l' },
    ['/p/Chromium/Application/chrome.exe', '/l/Microsoft/Edge/Application/msedge.exe'],
  ],
])('on %s it is looked for where it is installed', (platform, env, some) => {
  const paths = chromiumPaths(platform, env);
  expect(paths).toEqual(expect.arrayContaining(some));
  expect(paths.every((path) => path.startsWith('/'))).toBe(true);
  expect(chromiumPaths(platform, { ...env, CHARTKEEPER_CHROMIUM: '/own' })).toEqual(['/own']);
});
