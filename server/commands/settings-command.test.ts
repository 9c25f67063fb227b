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
  const connectionCheck = checkConnection({ name, baseUrl: 'https://fhir.example.org/r4' });
  if ('problems' in connectionCheck) throw new Error('These settings are good');
  return connectionCheck.value;
}

test('writes settings as files and removes only obsolete files of a previous export', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  expect(await cli('export', folder)).toMatchObject({ code: 0, stderr: '' });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, 'README.md'), 'Ours');
  await writeFile(join(folder, 'connections', 'notes.json'), '{"mine": true}');
  const originalStat = await stat(join(folder, 'settings.json'));
  await inWorkspace(async ({ connections }) => {
    const [previousConnection] = await connections.list();
    await connections.change(previousConnection?.id ?? '', settingsOf('Clinic'));
  });
  expect(await cli('export', folder)).toMatchObject({ code: 0, stderr: '' });
  expect((await readdir(folder)).sort()).toEqual(
    ['.git', 'README.md', 'chartkeeper.json', 'connections', 'settings.json'].sort(),
  );
  expect((await readdir(join(folder, 'connections'))).sort()).toEqual(['Clinic.json', 'notes.json']);
  // Unchanged files are not written again.
  expect((await stat(join(folder, 'settings.json'))).mtimeMs).toBe(originalStat.mtimeMs);
});

test('reports a dry run, imports, and exits with 1 if a file is rejected', async () => {
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
  const rejection = await cli('import', folder);
  expect(rejection).toMatchObject({ code: 1, stderr: '' });
  expect(rejection.stdout).toMatch(/^refused {2}connections\/Ward\.json {2}clientSecret looks like a secret/);
  expect(rejection.stdout).not.toContain('canary');
});

test('rejects an export to a folder with a link in place of a file and writes nothing', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  const victim = join(root, 'victim.txt');
  const otherFolder = join(root, 'elsewhere');
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

  // An export also does not remove files through a link.
  await rm(join(folder, 'settings.json'));
  expect(await cli('export', folder)).toMatchObject({ code: 0 });
  await rm(join(folder, 'connections'), { recursive: true });
  await mkdir(otherFolder);
  const otherFile = join(otherFolder, 'Other.json');
  await writeFile(otherFile, JSON.stringify(settingsOf('Other')));
  await symlink(otherFolder, join(folder, 'connections'));
  const rejection = await cli('export', folder);
  expect([rejection.code, rejection.stdout.split('\n')[0]]).toEqual([
    1,
    'refused  connections  It is a link.',
  ]);
  expect(await readdir(otherFolder)).toEqual(['Other.json']);
});

test('replaces files on export without changing their hard links', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  const victim = join(root, 'victim.txt');
  await writeFile(victim, 'Ours');
  await mkdir(folder);
  await link(victim, join(folder, 'settings.json'));
  expect(await cli('export', folder)).toMatchObject({ code: 0 });
  expect(await readFile(victim, 'utf8')).toBe('Ours');
  expect((await readdir(folder)).sort()).toEqual(['chartkeeper.json', 'connections', 'settings.json']);
});

test('imports through a link inside the folder and rejects a link to the outside', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  await cli('export', folder);
  // Layout of a Kubernetes volume.
  const volumeFolder = join(folder, '..data');
  await mkdir(volumeFolder);
  for (const name of ['chartkeeper.json', 'settings.json']) {
    await writeFile(join(volumeFolder, name), await readFile(join(folder, name)));
    await rm(join(folder, name));
    await symlink(join('..data', name), join(folder, name));
  }
  expect(await cli('import', folder)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/2 same\.\n$/),
  });
  const outsideFile = join(root, 'outside.json');
  await writeFile(outsideFile, await readFile(join(folder, 'connections', 'Ward.json')));
  await rm(join(folder, 'connections', 'Ward.json'));
  await symlink(outsideFile, join(folder, 'connections', 'Ward.json'));
  expect(await cli('import', folder)).toEqual({
    code: 1,
    stdout:
      'refused  connections/Ward.json  It is a link to something other than a file in the folder and was not read.\nsame     settings.json\n1 same, 1 refused.\n',
    stderr: '',
  });
});

test('reports a pipe and a socket in place of files without opening them', async () => {
  await inWorkspace(({ connections }) => connections.add(settingsOf('Ward')));
  await cli('export', folder);
  const pipe = join(folder, 'settings.json');
  const previousText = await readFile(pipe);
  await rm(pipe);
  execFileSync('mkfifo', [pipe]);
  // Settings that a read of the pipe would return.
  const writer = spawn('sh', ['-c', 'exec cat > "$0"', pipe], { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void writer.kill('SIGKILL'));
  writer.stdin.on('error', () => undefined).end(previousText);
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

test('rejects an import from a folder without an export', async () => {
  const result = await cli('import', join(root, 'nowhere'));
  expect(result).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/chartkeeper\.json not found/) as string,
  });
});

test('rejects a data folder that a server uses', async () => {
  const server = await startTestServer();
  const result = await runCli(['settings', 'export', folder, '--data', server.dataDir]);
  expect(result).toMatchObject({
    code: 11,
    stdout: '',
    stderr: expect.stringMatching(/in use by another/) as string,
  });
  await server.remove();
});
