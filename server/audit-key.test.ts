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

test('creates a missing key file with mode 0600 and reads it afterwards', async () => {
  await expect(auditKeyIn(file)).rejects.toThrow(/key doesn’t exist/);
  const createdKey = await auditKeyMadeIn(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect([await auditKeyMadeIn(file), await auditKeyIn(file)]).toEqual([createdKey, createdKey]);
});

test.runIf(process.platform !== 'win32')('rejects a key file that other accounts can read', async () => {
  await auditKeyMadeIn(file);
  chmodSync(file, 0o640);
  await expect(auditKeyMadeIn(file)).rejects.toThrow(/is accessible to other accounts. Run chmod 600 on it/);
});

test.each(['', 'x'.repeat(31), `${'x'.repeat(40)}\n${'y'.repeat(40)}`])(
  'rejects a file without a key: %j',
  async (text) => {
    writeFileSync(file, text, { mode: 0o600 });
    await expect(auditKeyIn(file)).rejects.toThrow(/contains no key/);
  },
);

test('uses a new key for later entries; verify names the first and requires the key', async () => {
  const watchedFolder = await WatchedFolder.make();
  await watchedFolder.start();
  await watchedFolder.write(2);
  await watchedFolder.stop();
  await auditKeyMadeIn(file);
  const flags = ['--data', watchedFolder.path, '--audit-key-file', file];
  expect(await runCli(['token', 'create', '--name', 'x', '--scope', 'system/*.r', ...flags])).toMatchObject({
    code: 0,
  });
  const verification = await runCli(['verify', ...flags]);
  expect(verification.code).toBe(0);
  const summaryPattern = /^Sealed with a key since audit entry (\d+)[.]\n.*: no damage[.]\n$/;
  // Follows the two writes and, if the stop had time for one, the backup.
  const firstSealedEntry = summaryPattern.exec(verification.stdout)?.[1] ?? 'none';
  expect(['3', '4']).toContain(firstSealedEntry);
  expect(await runCli(['verify', '--data', watchedFolder.path])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `audit entry ${firstSealedEntry} is in doubt: it and all later entries are sealed with a key that was not given.\n`,
    ),
  });
  await watchedFolder.remove();
});

test('stores one key in the key-ring and does not replace a lost key of a sealed log', async () => {
  const keyRing = { ...sessionSecrets(), backend: 'system' as const };
  const missingRecords = join(folder, 'records.db');
  expect(await auditKeyKept(sessionSecrets(), missingRecords)).toBeUndefined();
  const key = await auditKeyKept(keyRing, missingRecords);
  expect(key).toBeDefined();
  expect(await auditKeyKept(keyRing, missingRecords)).toEqual(key);
  const sealedFolder = await WatchedFolder.make(key);
  await sealedFolder.start();
  await sealedFolder.write(1);
  await sealedFolder.stop();
  const emptyKeyRing = { ...sessionSecrets(), backend: 'system' as const };
  expect(await auditKeyKept(emptyKeyRing, sealedFolder.records)).toBeUndefined();
  await sealedFolder.remove();
});
