import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitForCli, runCli, spawnCli } from './testing/run-cli.ts';
import { tokenFor } from './testing/sign-in.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-serve-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts `serve`, then resolves after both lines are printed. */
async function serve(...flags: string[]) {
  const child = spawnCli(['serve', '--port', '0', '--data', join(folder, 'data'), ...flags]);
  if (!child.stdout) throw new Error('no standard output');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === 2) break;
  }
  const exit = once(child, 'exit') as Promise<[number | null]>;
  return { child, lines, end: async (signal: NodeJS.Signals) => (child.kill(signal), (await exit)[0]) };
}

function originOf(lines: readonly string[]): string {
  return new URL((lines[1] ?? '').replace('Open ', '')).origin;
}

/** Returns the status of a search with a token. */
async function statusWith(origin: string, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${origin}/fhir-r4/v1/Composition`, { headers })).status;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'prints its address and a sign-in link, and exits with 0 at %s',
  async (signal) => {
    const { lines, end } = await serve();
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(lines[0] ?? '')?.[0] ?? '';
    expect(lines[1]).toMatch(new RegExp(`^Open ${origin}/#code=[A-Za-z0-9_-]{43}$`));
    expect(await tokenFor(origin, lines[1] ?? '')).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await fetch(`${origin}/fhir-r4/v1/Composition`)).status).toBe(401);
    expect(await end(signal)).toBe(0);
  },
);

test('prints the link with the public URL, if one is set', async () => {
  const { lines, end } = await serve('--public-url', 'https://charts.example');
  expect(lines[0]).toMatch(/^Chartkeeper listens on http:\/\/127/);
  expect(lines[1]).toMatch(/^Open https:\/\/charts\.example\/#code=/);
  await end('SIGTERM');
});

test('creates a token file with mode 0600, reads it at the next start and keeps data private', async () => {
  const tokenFile = join(folder, 'token');
  const firstServer = await serve('--token-file', tokenFile);
  expect(await firstServer.end('SIGTERM')).toBe(0);
  const token = (await readFile(tokenFile, 'utf8')).trim();
  expect(firstServer.lines.join()).not.toContain(token);
  expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
  for (const name of ['records.db', 'workspace.db']) {
    expect((await stat(join(folder, 'data', name))).mode & 0o777).toBe(0o600);
  }
  const secondServer = await serve('--token-file', tokenFile);
  expect(secondServer.lines.join()).not.toContain(token);
  expect(await statusWith(originOf(secondServer.lines), token)).toBe(200);
  await secondServer.end('SIGTERM');
});

test('writes a token into an empty token file, as a power cut leaves it', async () => {
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, '', { mode: 0o600 });
  const { lines, end } = await serve('--token-file', tokenFile);
  const token = (await readFile(tokenFile, 'utf8')).trim();
  expect(token).not.toBe('');
  expect(await statusWith(originOf(lines), token)).toBe(200);
  await end('SIGTERM');
});

test.each([
  ['open to others', 'a'.repeat(43), 0o644, 30, 'chmod 600'],
  ['of 16 characters', 'a'.repeat(16), 0o600, 31, 'rm '],
  ['of 31 characters', 'a'.repeat(31), 0o600, 31, 'rm '],
  ['of two lines', `${'a'.repeat(43)}\n${'b'.repeat(43)}`, 0o600, 31, 'rm '],
])('rejects a token file %s and names the remedy', async (_, content, mode, code, advice) => {
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, content);
  await chmod(tokenFile, mode);
  const child = spawnCli(['serve', '--port', '0', '--data', join(folder, 'data'), '--token-file', tokenFile]);
  // Ends a server that starts by mistake.
  child.stdout?.once('data', () => child.kill());
  const result = await waitForCli(child);
  expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(advice) });
  expect(result.stderr).not.toContain(content);
  expect(await readFile(tokenFile, 'utf8')).toBe(content);
});

test('--secrets stores secrets across a restart and rejects a file accessible to others', async () => {
  const file = join(folder, 'secrets.json');
  const flags = ['--secrets', file, '--token-file', join(folder, 'token')];
  const firstServer = await serve(...flags);
  const origin = originOf(firstServer.lines);
  const token = (await readFile(join(folder, 'token'), 'utf8')).trim();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const settings = { name: 'a', baseUrl: 'https://fhir.example.org', authentication: { kind: 'bearer' } };
  const creation = await fetch(`${origin}/app/connections`, {
    method: 'POST',
    headers,
    body: JSON.stringify(settings),
  });
  const { id } = (await creation.json()) as { id: string };
  const body = '{"secret":"a-bearer-token"}';
  expect(
    (await fetch(`${origin}/app/connections/${id}/secret`, { method: 'PUT', headers, body })).status,
  ).toBe(204);
  await firstServer.end('SIGTERM');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ [id]: 'a-bearer-token' });
  const secondServer = await serve(...flags);
  const secondOrigin = originOf(secondServer.lines);
  expect(await (await fetch(`${secondOrigin}/app/connections`, { headers })).json()).toMatchObject({
    secrets: 'file',
    connections: [{ id, secretSet: true, access: 'ready' }],
  });
  await secondServer.end('SIGTERM');
  await chmod(file, 0o644);
  const rejection = await runCli(['serve', '--port', '0', '--data', join(folder, 'data'), '--secrets', file]);
  expect(rejection).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('chmod 600') });
});

test('exits with 11 and a message if the folder is already in use', async () => {
  const firstServer = await serve();
  const secondStart = await runCli(['serve', '--port', '0', '--data', join(folder, 'data')]);
  expect(secondStart).toMatchObject({ code: 11, stdout: '' });
  expect(secondStart.stderr).toMatch(/in use by another Chartkeeper/);
  await firstServer.end('SIGTERM');
});

test('--demo loads the demo clinic before it prints the address', async () => {
  const { lines, end } = await serve('--demo');
  const origin = originOf(lines);
  const token = await tokenFor(origin, lines[1] ?? '');
  const response = await fetch(`${origin}/fhir-r4/v1/Composition?_count=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await response.json()).toMatchObject({
    resourceType: 'Bundle',
    entry: [{ search: { mode: 'match' } }],
  });
  await end('SIGTERM');
});

test('--clock sets a fixed time for the demo and requires --demo', async () => {
  const instant = '2026-01-15T09:00:00.000Z';
  const { lines, end } = await serve('--demo', '--clock', instant);
  const origin = originOf(lines);
  const headers = { Authorization: `Bearer ${await tokenFor(origin, lines[1] ?? '')}` };
  const searchResponse = await fetch(`${origin}/fhir-r4/v1/CarePlan?subject=demo-patient-001`, { headers });
  const { entry } = (await searchResponse.json()) as {
    entry: { resource: { meta: { lastUpdated: string } } }[];
  };
  expect(new Set(entry.map(({ resource }) => resource.meta.lastUpdated))).toEqual(new Set([instant]));
  const statement = await fetch(`${origin}/fhir-r4/v1/metadata`);
  expect(await statement.json()).toMatchObject({ date: instant });
  await end('SIGTERM');
  const rejection = await runCli([
    'serve',
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--clock',
    instant,
  ]);
  expect(rejection).toMatchObject({ code: 1, stdout: '', stderr: '--clock needs --demo.\n' });
});

test('names the address of a database that does not respond', async () => {
  const store = 'postgres://charts_server@127.0.0.1:1/charts';
  const data = join(folder, 'data');
  const rejection = await runCli(['serve', '--port', '0', '--data', data, '--store', store]);
  const stderr = 'The database isn’t responding: connect ECONNREFUSED 127.0.0.1:1.\n';
  expect(rejection).toMatchObject({ code: 1, stdout: '', stderr });
});

test('rejects an old version of Node before it loads the database driver', async () => {
  const oldNodeModule = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})`;
  const { code, stderr } = await runCli(
    ['serve', '--port', '0', '--data', folder],
    ['--import', oldNodeModule],
  );
  expect(code).toBe(1);
  expect(stderr).toContain('needs Node 22 or later; this is 20.1.0');
});
