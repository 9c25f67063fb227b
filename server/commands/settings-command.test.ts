import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import { runCli } from '../testing/run-cli.ts';
import { startTestServer } from '../testing/test-server.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

let [root, data, folder] = ['', '', ''];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'chartkeeper-settings-'));
  data = join(root, 'data');
  folder = join(root, 'settings');
  await mkdir(data);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const cli = (...parameters: string[]) => runCli(['settings', ...parameters, '--data', data]);

async function inWorkspace<Result>(use: (workspace: Workspace) => Promise<Result>): Promise<Result> {
  const workspace = await openWorkspace(join(data, 'workspace.db'));
  try {
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}

function settingsOf(name: string) {
  const read = checkConnection({ name, baseUrl: 'https://fhir.example.org/r4' });
  if ('problems' in read) throw new Error('These settings are good');
  return read.value;
}

test('settings are written as files; those of a former export go, and nothing else does', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  expect(await cli('export', folder)).toMatchObject({ code: 0, stderr: '' });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, 'README.md'), 'Ours');
  await writeFile(join(folder, 'connections', 'notes.json'), '{"mine": true}');
  const before = await stat(join(folder, 'settings.json'));
  await inWorkspace(async ({ connections }) => {
    const [former] = await connections.list();
    await connections.change(former?.id ?? '', settingsOf('Clinic'));
  });
  expect(await cli('export', folder)).toMatchObject({ code: 0, stderr: '' });
  expect((await readdir(folder)).sort()).toEqual(
    ['.git', 'README.md', 'chartkeeper.json', 'connections', 'settings.json'].sort(),
  );
  expect((await readdir(join(folder, 'connections'))).sort()).toEqual(['Clinic.json', 'notes.json']);
  // What is as it was is not written again.
  expect((await stat(join(folder, 'settings.json'))).mtimeMs).toBe(before.mtimeMs);
});

test('a dry run says what would be done, an import does it, and a refused file is exit code 1', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  await cli('export', folder);
  const path = join(folder, 'connections', 'Ward.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('blue', 'red'));
  expect(await cli('import', folder, '--dry-run')).toEqual({
    code: 0,
    stdout:
      'changed  connections/Ward.json  Changes colour.\nsame     settings.json\n1 changed, 1 same. Nothing was changed.\n',
    stderr: '',
  });
  const colour = () => inWorkspace(async ({ connections }) => (await connections.list())[0]?.colour);
  expect(await colour()).toBe('blue');
  expect(await cli('import', folder)).toMatchObject({ code: 0 });
  expect(await colour()).toBe('red');

  await writeFile(path, '{"name": "Ward", "clientSecret": "canary-cli"}');
  const refused = await cli('import', folder);
  expect(refused).toMatchObject({ code: 1, stderr: '' });
  expect(refused.stdout).toMatch(/^refused {2}connections\/Ward\.json {2}clientSecret looks like a secret/);
  expect(refused.stdout).not.toContain('canary');
});

test('an export refuses a folder in which a link stands for a file, and writes nothing', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  const victim = join(root, 'victim.txt');
  const elsewhere = join(root, 'elsewhere');
  await writeFile(victim, 'Ours');
  await mkdir(folder);
  await symlink(victim, join(folder, 'settings.json'));
  expect(await cli('export', folder)).toMatchObject({
    code: 1,
    stdout:
      'refused  settings.json  It is a link.\nNothing was written. Remove the refused items, or choose another folder.\n',
  });
  expect(await readFile(victim, 'utf8')).toBe('Ours');
  expect(await readdir(folder)).toEqual(['settings.json']);

  // Nor does it remove through one what looks like a former export's.
  await rm(join(folder, 'settings.json'));
  expect(await cli('export', folder)).toMatchObject({ code: 0 });
  await rm(join(folder, 'connections'), { recursive: true });
  await mkdir(elsewhere);
  const other = join(elsewhere, 'Other.json');
  await writeFile(other, JSON.stringify(settingsOf('Other')));
  await symlink(elsewhere, join(folder, 'connections'));
  const refused = await cli('export', folder);
  expect([refused.code, refused.stdout.split('\n')[0]]).toEqual([1, 'refused  connections  It is a link.']);
  expect(await readdir(elsewhere)).toEqual(['Other.json']);
});

test('an export puts files in their place, and changes none that shares its bytes', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  const victim = join(root, 'victim.txt');
  await writeFile(victim, 'Ours');
  await mkdir(folder);
  await link(victim, join(folder, 'settings.json'));
  expect(await cli('export', folder)).toMatchObject({ code: 0 });
  expect(await readFile(victim, 'utf8')).toBe('Ours');
  expect((await readdir(folder)).sort()).toEqual(['chartkeeper.json', 'connections', 'settings.json']);
});

test('an import reads a link to a file below the folder, and refuses one that leads out of it', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  await cli('export', folder);
  // As Kubernetes lays out a volume.
  const inside = join(folder, '..data');
  await mkdir(inside);
  for (const name of ['chartkeeper.json', 'settings.json']) {
    await writeFile(join(inside, name), await readFile(join(folder, name)));
    await rm(join(folder, name));
    await symlink(join('..data', name), join(folder, name));
  }
  expect(await cli('import', folder)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/2 same\.\n$/),
  });
  const outside = join(root, 'outside.json');
  await writeFile(outside, await readFile(join(folder, 'connections', 'Ward.json')));
  await rm(join(folder, 'connections', 'Ward.json'));
  await symlink(outside, join(folder, 'connections', 'Ward.json'));
  expect(await cli('import', folder)).toEqual({
    code: 1,
    stdout:
      'refused  connections/Ward.json  It is a link to something other than a file in the folder and was not read.\nsame     settings.json\n1 same, 1 refused.\n',
    stderr: '',
  });
});

test('an import names a pipe and a socket in the place of files, and opens neither', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  await cli('export', folder);
  const pipe = join(folder, 'settings.json');
  const former = await readFile(pipe);
  await rm(pipe);
  execFileSync('mkfifo', [pipe]);
  // Whoever opened it would read settings.
  const writer = spawn('sh', ['-c', 'exec cat > "$0"', pipe], { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void writer.kill('SIGKILL'));
  writer.stdin.on('error', () => undefined).end(former);
  const socket = createServer().listen(join(folder, 'connections', 'Other.json'));
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  expect(await cli('import', folder)).toEqual({
    code: 1,
    stdout: [
      'refused  settings.json  It is a named pipe and was not read.',
      'refused  connections/Other.json  It is a socket and was not read.',
      'same     connections/Ward.json',
      '1 same, 2 refused.\n',
    ].join('\n'),
    stderr: '',
  });
});

test('a folder that is none of an export is refused, and nothing is taken', async () => {
  const answer = await cli('import', join(root, 'nowhere'));
  expect(answer).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/chartkeeper\.json not found/) as string,
  });
});

test('a data folder that is being served is refused', async () => {
  const server = await startTestServer();
  const answer = await runCli(['settings', 'export', folder, '--data', server.dataDir]);
  expect(answer).toMatchObject({
    code: 11,
    stdout: '',
    stderr: expect.stringMatching(/in use by another/) as string,
  });
  await server.remove();
});
