import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli, spawnCli } from './testing/run-cli.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-serve-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts `serve` and resolves once both lines are printed. */
async function serve(...flags: string[]) {
  const child = spawnCli(['serve', '--port', '0', '--data', join(folder, 'data'), ...flags]);
  if (!child.stdout) throw new Error('no standard output');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === 2) break;
  }
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return { child, lines, end: async (signal: NodeJS.Signals) => (child.kill(signal), (await ended)[0]) };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'prints its address, then the address with the token, and %s ends it with 0',
  async (signal) => {
    const { lines, end } = await serve();
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0] ?? '';
    expect(lines[1]).toMatch(new RegExp(`^Open ${origin}/#token=[A-Za-z0-9_-]{43}$`));
    expect((await fetch(`${origin}/fhir-r4/v1/Composition`)).status).toBe(401);
    expect(await end(signal)).toBe(0);
  },
);

test('the token file is made with mode 0600 and read the next time; the data is private', async () => {
  const tokenFile = join(folder, 'token');
  const first = await serve('--token-file', tokenFile);
  expect(await first.end('SIGTERM')).toBe(0);
  const token = (await readFile(tokenFile, 'utf8')).trim();
  expect(first.lines[1]).toContain(`#token=${token}`);
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
  for (const name of ['records.db', 'workspace.db']) {
    expect((await stat(join(folder, 'data', name))).mode & 0o777).toBe(0o600);
  }
  const second = await serve('--token-file', tokenFile);
  expect(second.lines[1]).toContain(`#token=${token}`);
  await second.end('SIGTERM');
});

test('an empty token file, as a power cut leaves it, is given a token', async () => {
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, '', { mode: 0o600 });
  const { lines, end } = await serve('--token-file', tokenFile);
  await end('SIGTERM');
  const token = (await readFile(tokenFile, 'utf8')).trim();
  expect(token).not.toBe('');
  expect(lines[1]).toContain(`#token=${token}`);
});

test('--secrets keeps the secrets of connections over a restart, and refuses a file that others may read', async () => {
  const file = join(folder, 'secrets.json');
  const flags = ['--secrets', file, '--token-file', join(folder, 'token')];
  const first = await serve(...flags);
  const [origin = '', token = ''] = (first.lines[1] ?? '').replace('Open ', '').split('/#token=');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const settings = { name: 'a', baseUrl: 'https://fhir.example.org', authentication: { kind: 'bearer' } };
  const made = await fetch(`${origin}/app/connections`, {
    method: 'POST',
    headers,
    body: JSON.stringify(settings),
  });
  const { id } = (await made.json()) as { id: string };
  const body = '{"secret":"a-bearer-token"}';
  expect(
    (await fetch(`${origin}/app/connections/${id}/secret`, { method: 'PUT', headers, body })).status,
  ).toBe(204);
  await first.end('SIGTERM');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ [id]: 'a-bearer-token' });
  const second = await serve(...flags);
  const again = (second.lines[1] ?? '').replace('Open ', '').split('/#token=')[0] ?? '';
  expect(await (await fetch(`${again}/app/connections`, { headers })).json()).toMatchObject({
    secrets: 'file',
    connections: [{ id, secretSet: true, access: 'ready' }],
  });
  await second.end('SIGTERM');
  await chmod(file, 0o644);
  const refused = await runCli(['serve', '--port', '0', '--data', join(folder, 'data'), '--secrets', file]);
  expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('chmod 600') });
});

test('a second start on the same folder ends with a sentence and exit code 11', async () => {
  const first = await serve();
  const second = await runCli(['serve', '--port', '0', '--data', join(folder, 'data')]);
  expect(second).toMatchObject({ code: 11, stdout: '' });
  expect(second.stderr).toMatch(/in use by another Chartkeeper/);
  await first.end('SIGTERM');
});

test('--demo loads the demo clinic before the address is printed', async () => {
  const { lines, end } = await serve('--demo');
  const [origin = '', token = ''] = (lines[1] ?? '').replace('Open ', '').split('/#token=');
  const answer = await fetch(`${origin}/fhir-r4/v1/Composition?_count=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toMatchObject({
    resourceType: 'Bundle',
    entry: [{ search: { mode: 'match' } }],
  });
  await end('SIGTERM');
});

test('a Node that is too old is told so before the database driver is loaded', async () => {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})`;
  const { code, stderr } = await runCli(['serve', '--port', '0', '--data', folder], ['--import', pretend]);
  expect(code).toBe(1);
  expect(stderr).toContain('needs Node 22 or later; this is 20.1.0');
});
