import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openIdIn } from './openid-file.ts';

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

test('a file is read with its defaults, and its secret from beside it', async () => {
  const { clientSecretFile, ...others } = good;
  expect(await openIdIn(write(good), undefined)).toEqual({
    ...others,
    clientSecret: 'a secret',
    ...{ scope: 'openid profile', nameClaim: 'preferred_username', roleClaim: 'roles' },
  });
  expect(clientSecretFile).toBe('secret');
  expect(await openIdIn(write(others), 'https://charts.example.org')).not.toHaveProperty('clientSecret');
  expect(await openIdIn(undefined, 'http://charts.example.org')).toBeUndefined();
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
])('one with %j is refused', async (wrong) => {
  await expect(openIdIn(write({ ...good, ...wrong }), undefined)).rejects.toThrow(
    /^--openid: .*docs\/openid\.md/,
  );
});

test('a secret that others may read, that is empty or not there, and a file that is not there are refused', async () => {
  await expect(openIdIn(write(good, 'a', 0o640), undefined)).rejects.toThrow('chmod 600');
  await expect(openIdIn(write(good, ' \n'), undefined)).rejects.toThrow('holds no secret');
  await expect(openIdIn(write({ ...good, clientSecretFile: 'x' }), undefined)).rejects.toThrow(
    'cannot be read',
  );
  await expect(openIdIn(join(folder, 'none'), undefined)).rejects.toThrow('cannot be read');
});

test('codes come back over HTTPS, or within this machine', async () => {
  const file = write(good);
  await expect(openIdIn(file, 'http://charts.example.org')).rejects.toThrow('needs an https address');
  expect(await openIdIn(file, 'http://127.0.0.1:4180')).toBeDefined();
});
