import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditKeyIn, auditKeyKept, auditKeyMadeIn } from './audit-key.ts';
import { sessionSecrets } from './gateway/secrets.ts';
import { runCli } from './testing/run-cli.ts';
import { WatchedFolder } from './testing/watched-folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-key-'));
  file = join(folder, 'key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file that is not there is made by the server alone, closed to others, and read from then on', async () => {
  await expect(auditKeyIn(file)).rejects.toThrow(/key doesn’t exist/);
  const made = await auditKeyMadeIn(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([await auditKeyMadeIn(file), await auditKeyIn(file)]).toEqual([made, made]);
});

test.runIf(process.platform !== 'win32')('a file that others may read is refused', async () => {
  await auditKeyMadeIn(file);
  chmodSync(file, 0o640);
  await expect(auditKeyMadeIn(file)).rejects.toThrow(/is accessible to other accounts. Run chmod 600 on it/);
});

test.each(['', 'x'.repeat(31), `${'x'.repeat(40)}\n${'y'.repeat(40)}`])(
  'a file that holds no key is refused: %j',
  async (text) => {
    writeFileSync(file, text, { mode: 0o600 });
    await expect(auditKeyIn(file)).rejects.toThrow(/contains no key/);
  },
);

test('a store with seals of before goes on with the key: verify says from which entry on, and asks for it', async () => {
  const before = await WatchedFolder.make();
  await before.start();
  await before.write(2);
  await before.stop();
  await auditKeyMadeIn(file);
  const flags = ['--data', before.path, '--audit-key-file', file];
  expect(await runCli(['token', 'create', '--name', 'x', '--scope', 'system/*.r', ...flags])).toMatchObject({
    code: 0,
  });
  const whole = await runCli(['verify', ...flags]);
  expect(whole.code).toBe(0);
  const form = /^Sealed with a key since audit entry (\d+)[.]\n.*: no damage[.]\n$/;
  // Behind the two writes, and the backup of the stop where that was in time.
  const first = form.exec(whole.stdout)?.[1] ?? 'none';
  expect(['3', '4']).toContain(first);
  expect(await runCli(['verify', '--data', before.path])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `audit entry ${first} is in doubt: it and all later entries are sealed with a key that was not given.\n`,
    ),
  });
  await before.remove();
});

test('the key-ring keeps one key; where it gives out none for a trail that has one, no other takes its place', async () => {
  const ring = { ...sessionSecrets(), backend: 'system' as const };
  const none = join(folder, 'records.db');
  expect(await auditKeyKept(sessionSecrets(), none)).toBeUndefined();
  const key = await auditKeyKept(ring, none);
  expect(key).toBeDefined();
  expect(await auditKeyKept(ring, none)).toEqual(key);
  const sealed = await WatchedFolder.make(key);
  await sealed.start();
  await sealed.write(1);
  await sealed.stop();
  const closed = { ...sessionSecrets(), backend: 'system' as const };
  expect(await auditKeyKept(closed, sealed.records)).toBeUndefined();
  await sealed.remove();
});
