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

test('stores secrets of the session until they are deleted', async () => {
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

test('stores secrets in a private file for the next start and leaves no other file', async () => {
  const firstStore = await fileSecrets(path);
  expect(await readdir(folder)).toEqual([]);
  await Promise.all(Array.from({ length: 20 }, (_, n) => firstStore.set(`id-${n}`, `secret ${n} "ü"\n`)));
  await firstStore.delete('id-0');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secrets.json']);
  const secondStore = await fileSecrets(path);
  expect([secondStore.backend, await secondStore.get('id-0'), await secondStore.get('id-19')]).toEqual([
    'file',
    undefined,
    'secret 19 "ü"\n',
  ]);
});

test.each([0o640, 0o604, 0o660, 0o644])('rejects a file with mode %o', async (mode) => {
  await writeFile(path, '{}');
  await chmod(path, mode);
  await expect(fileSecrets(path)).rejects.toThrow(
    `${path} is accessible to other accounts. Run chmod 600 on it`,
  );
});

test.each(['', 'text', '[]', '{"a":1}', '{"a":'])(
  'rejects an invalid file of secrets and leaves it unchanged: %s',
  async (content) => {
    await writeFile(path, content, { mode: 0o600 });
    await expect(fileSecrets(path)).rejects.toThrow('is not a secrets file');
    expect(await readFile(path, 'utf8')).toBe(content);
  },
);

test('stores no secret that cannot be written and keeps the stored ones', async () => {
  const inner = join(folder, 'inner');
  await mkdir(inner);
  const secrets = await fileSecrets(join(inner, 'secrets.json'));
  await secrets.set('a', 'one');
  await rm(inner, { recursive: true });
  await expect(secrets.set('a', 'two')).rejects.toThrow('Can’t write the secrets file; nothing was changed.');
  expect(await secrets.get('a')).toBe('one');
  await mkdir(inner);
  await secrets.set('a', 'three');
  expect(await secrets.get('a')).toBe('three');
});

test('rejects a folder as file of secrets', async () => {
  await expect(fileSecrets(folder)).rejects.toThrow(`Can’t read ${folder} as a secrets file.`);
});
