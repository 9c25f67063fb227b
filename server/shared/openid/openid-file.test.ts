import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOpenIdSettings } from './openid-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-openid-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const good = {
  issuer: 'https://login.example.org/realms/a',
  clientId: 'chartkeeper',
  clientSecretFile: 'secret',
  roles: { steward: 'system/*.*', reader: 'system/CarePlan.read user/Composition.rs' },
};

function write(settings: object, secret = 'a secret\n', mode = 0o600): string {
  writeFileSync(join(folder, 'secret'), secret);
  chmodSync(join(folder, 'secret'), mode);
  const file = join(folder, 'openid.json');
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

test('reads a file with defaults and its secret from the same folder', async () => {
  const { clientSecretFile, ...withoutSecretFile } = good;
  expect(await readOpenIdSettings(write(good), undefined)).toEqual({
    ...withoutSecretFile,
    clientSecret: 'a secret',
    scope: 'openid profile',
    nameClaim: 'preferred_username',
    roleClaim: 'roles',
  });
  expect(clientSecretFile).toBe('secret');
  expect(await readOpenIdSettings(write(withoutSecretFile), 'https://charts.example.org')).not.toHaveProperty(
    'clientSecret',
  );
});

test.each([
  [{ issuer: 'http://login.example.org' }],
  [{ issuer: 'https://login.example.org?x' }],
  [{ issuer: 'login' }],
  [{ clientId: '' }],
  [{ scope: 'profile' }],
  [{ roles: {} }],
  [{ roles: { steward: 'system/Patient.read' } }],
  [{ roles: { steward: '' } }],
  [{ roleClaim: [] }],
  [{ clientSecret: 'in the file itself' }],
])('rejects invalid settings: %j', async (wrong) => {
  await expect(readOpenIdSettings(write({ ...good, ...wrong }), undefined)).rejects.toThrow(
    /^--openid: .*docs\/openid\.md/,
  );
});

test('rejects a missing file and a missing, empty or accessible secret', async () => {
  await expect(readOpenIdSettings(write(good, 'a', 0o640), undefined)).rejects.toThrow('chmod 600');
  await expect(readOpenIdSettings(write(good, ' \n'), undefined)).rejects.toThrow('contains no secret');
  await expect(readOpenIdSettings(write({ ...good, clientSecretFile: 'x' }), undefined)).rejects.toThrow(
    'doesn’t exist',
  );
  await expect(readOpenIdSettings(join(folder, 'none'), undefined)).rejects.toThrow('doesn’t exist');
});

test('requires HTTPS or a loopback address for the return of codes', async () => {
  const file = write(good);
  await expect(readOpenIdSettings(file, 'http://charts.example.org')).rejects.toThrow(
    'needs an https address',
  );
  expect(await readOpenIdSettings(file, 'http://127.0.0.1:4180')).toBeDefined();
});
