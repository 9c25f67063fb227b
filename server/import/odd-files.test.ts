import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';
import { carePlan } from '../testing/test-server.ts';
import { findFiles } from './files.ts';

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'chartkeeper-odd-'));
  folder = join(root, 'in');
  await mkdir(folder);
  return () => rm(root, { recursive: true, force: true });
});

const importFrom = (path: string) => runCli(['import', path, '--data', join(root, 'data')]);
const record = (name: string) => carePlan(`Patient/${name}`);

test('follows a link to a file below the folder once, and names each link that it skips', async () => {
  // As git-annex lays out a folder.
  const objects = join(folder, '.git', 'annex', 'objects');
  await mkdir(objects, { recursive: true });
  await writeFile(join(objects, 'key.json'), record('annexed'));
  await symlink(join('.git', 'annex', 'objects', 'key.json'), join(folder, 'annexed.json'));
  await writeFile(join(folder, 'own.json'), record('own'));
  await symlink('own.json', join(folder, 'again.json'));
  await writeFile(join(root, 'outside.json'), record('outside'));
  await symlink(join(root, 'outside.json'), join(folder, 'out.json'));
  await symlink('nowhere.json', join(folder, 'nothing.json'));
  await symlink(folder, join(folder, 'loop'));
  await mkdir(join(folder, 'sub'));
  await symlink('sub', join(folder, 'sub.json'));
  expect(await importFrom(folder)).toEqual({
    code: 0,
    stdout: [
      `Skipped 5 links: ${['again.json', 'loop', 'nothing.json', 'out.json', 'sub.json'].map((name) => join(folder, name)).join(', ')}.`,
      '2 stored, 0 unchanged, 0 refused.\n',
    ].join('\n'),
    stderr: '',
  });
});

test('names pipes and sockets, and counts files without records by their extension', async () => {
  await writeFile(join(folder, 'own.json'), record('own'));
  await writeFile(join(folder, 'a.XML'), '<a/>');
  await writeFile(join(folder, 'b.xml'), '<b/>');
  await writeFile(join(folder, 'c.ndjson.gz'), '');
  await writeFile(join(folder, 'LICENSE'), '');
  execFileSync('mkfifo', [join(folder, 'pipe.json')]);
  const socket = createServer().listen(join(folder, 'socket.json'));
  await new Promise((resolve) => socket.once('listening', resolve));
  onTestFinished(() => void socket.close());
  const { code, stdout } = await importFrom(folder);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      `Skipped 1 named pipe: ${join(folder, 'pipe.json')}.`,
      `Skipped 1 socket: ${join(folder, 'socket.json')}.`,
      'Skipped 4 files: without an extension 1, .gz 1, .xml 2.',
      '1 stored, 0 unchanged, 0 refused.',
      '',
    ],
  ]);
});

test('lists ten names of a kind and counts the rest', async () => {
  for (let index = 0; index < 12; index += 1) await symlink('nowhere.json', join(folder, `${index}.json`));
  const [sentence] = (await findFiles([folder])).listSkipped();
  expect(sentence).toMatch(/^Skipped 12 links: (?:\S+, ){10}and 2 more\.$/);
});

test('exits at once for a pipe or a device, and reads a named link', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const rejection = { code: 1, stdout: '' };
  expect(await importFrom(pipe)).toEqual({
    ...rejection,
    stderr: `${pipe} is a named pipe. Only files and folders are imported.\n`,
  });
  expect(await importFrom('/dev/zero')).toEqual({
    ...rejection,
    stderr: '/dev/zero is a device. Only files and folders are imported.\n',
  });
  await writeFile(join(root, 'outside.json'), record('outside'));
  const link = join(folder, 'named.json');
  await symlink(join(root, 'outside.json'), link);
  expect(await importFrom(link)).toMatchObject({ code: 0, stdout: '1 stored, 0 unchanged, 0 refused.\n' });
});
