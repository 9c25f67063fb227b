import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileSecrets, sessionSecrets } from './secrets.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-secrets-'));
  path = join(folder, 'secrets.json');
});
afterEach(() => rm(folder, { recursive: true }));

test('secrets of the session are kept until they are deleted', async () => {
  const secrets = sessionSecrets();
  await secrets.set('a', 'one');
  expect([secrets.backend, await secrets.get('a'), await secrets.get('b')]).toEqual([
    'session',
    'one',
    undefined,
  ]);
  await secrets.delete('a');
  expect(await secrets.get('a')).toBeUndefined();
});

test('a file keeps them for the next start, closed to others, and nothing lies beside it', async () => {
  const first = await fileSecrets(path);
  expect(await readdir(folder)).toEqual([]);
  await Promise.all(Array.from({ length: 20 }, (_, n) => first.set(`id-${n}`, `secret ${n} "ü"\n`)));
  await first.delete('id-0');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secrets.json']);
  const second = await fileSecrets(path);
  expect([second.backend, await second.get('id-0'), await second.get('id-19')]).toEqual([
    'file',
    undefined,
    'secret 19 "ü"\n',
  ]);
});

test.each([0o640, 0o604, 0o660, 0o644])('a file with mode %o is refused', async (mode) => {
  await writeFile(path, '{}');
  await chmod(path, mode);
  await expect(fileSecrets(path)).rejects.toThrow(
    `${path} is open to other accounts. Close it with chmod 600`,
  );
});

test.each(['', 'text', '[]', '{"a":1}', '{"a":'])(
  'what is no file of secrets is refused and left: %s',
  async (content) => {
    await writeFile(path, content, { mode: 0o600 });
    await expect(fileSecrets(path)).rejects.toThrow('is no file of secrets');
    expect(await readFile(path, 'utf8')).toBe(content);
  },
);

test('a secret that cannot be written is not kept, and what was written stays', async () => {
  const inner = join(folder, 'inner');
  await mkdir(inner);
  const secrets = await fileSecrets(join(inner, 'secrets.json'));
  await secrets.set('a', 'one');
  await rm(inner, { recursive: true });
  await expect(secrets.set('a', 'two')).rejects.toThrow(
    'The file of secrets cannot be written; nothing was changed.',
  );
  expect(await secrets.get('a')).toBe('one');
  await mkdir(inner);
  await secrets.set('a', 'three');
  expect(await secrets.get('a')).toBe('three');
});

test('a folder is no file of secrets', async () => {
  await expect(fileSecrets(folder)).rejects.toThrow('cannot be read as a file of secrets');
});
