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

/** Writes a fake browser that opens its page, signs in, records its observations and runs a last statement. */
async function writeBrowser(lastStatement: string): Promise<void> {
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
${lastStatement}
`,
    { mode: 0o755 },
  );
  process.env.CHARTKEEPER_CHROMIUM = program;
}

const readObservation = async () => JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
const flags = () => ['--browser', '--port', '0', '--data', data];
const listProfiles = async () => (await readdir(data)).filter((name) => name.startsWith('browser-window-'));

test('--browser opens a signed-in page without secrets in arguments and stops with the browser', async () => {
  await writeBrowser('');
  await mkdir(join(data, 'browser-window-of-one-that-was-killed'), { recursive: true, mode: 0o700 });
  const { code, stdout } = await runCli(flags());
  expect(code).toBe(0);
  expect(stdout).toContain('Chartkeeper stops when you close it.');
  const observation = await readObservation();
  expect(observation.status).toBe(200);
  expect(observation.mode).toBe(0o600);
  expect(observation.code).toMatch(/^[\w-]{43}$/);
  expect(observation.argv.join(' ')).not.toContain(observation.code);
  expect(observation.argv.join(' ')).toContain(`--user-data-dir=${join(data, 'browser-window-')}`);
  await expect(fetch(observation.origin)).rejects.toThrow();
  expect(await listProfiles()).toEqual([]);
});

test('keeps running after a browser crash and removes the profile', async () => {
  await writeBrowser('process.exit(1);');
  const child = spawnCli(flags());
  const exit = waitForCli(child);
  const output = await once(child.stderr ?? child, 'data');
  expect(String(output[0])).toContain('open the link above');
  expect((await fetch((await readObservation()).origin)).status).toBe(200);
  expect(await listProfiles()).toEqual([]);
  child.kill('SIGTERM');
  expect((await exit).code).toBe(0);
});

test('closes the window at a signal', async () => {
  await writeBrowser("process.on('SIGTERM', () => process.exit(0)); setInterval(() => undefined, 1000);");
  const child = spawnCli(flags());
  const exit = waitForCli(child);
  await expect.poll(() => existsSync(join(folder, 'seen.json'))).toBe(true);
  expect(await listProfiles()).toHaveLength(1);
  child.kill('SIGTERM');
  expect((await exit).code).toBe(0);
  expect(await listProfiles()).toEqual([]);
});

test('exits with a message if no browser is installed', async () => {
  process.env.CHARTKEEPER_CHROMIUM = join(folder, 'none');
  const result = await runCli(flags());
  expect(result).toMatchObject({ code: 1, stdout: '' });
  expect(result.stderr).toMatch(/^No Chromium, Chrome or Edge found\./);
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
])('searches the usual folders on %s', (platform, env, expectedPaths) => {
  const paths = chromiumPaths(platform, env);
  expect(paths).toEqual(expect.arrayContaining(expectedPaths));
  expect(paths.every((path) => path.startsWith('/'))).toBe(true);
  expect(chromiumPaths(platform, { ...env, CHARTKEEPER_CHROMIUM: '/own' })).toEqual(['/own']);
});
