import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SecretRequest } from '../core/app/server-messages.ts';
import { createSecretVault } from './secret-vault.ts';
import { systemCipher } from './system-cipher.ts';
import * as fake from './testing/fake-electron.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const CANARY = 'canary-secret-7731';
const log = vi.fn<(line: string) => void>();
let file: string;

const get = (id: string): SecretRequest => ({ type: 'secret', ask: 1, act: 'get', id });
const set = (id: string, secret: string): SecretRequest => ({
  type: 'secret',
  ask: 2,
  act: 'set',
  id,
  secret,
});
const drop = (id: string): SecretRequest => ({ type: 'secret', ask: 3, act: 'delete', id });

async function openVault() {
  return createSecretVault({ cipher: await systemCipher(log), file, log });
}

function onPlatform(platform: NodeJS.Platform): void {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
}

beforeEach(() => {
  file = join(temporaryFolder(), 'secrets.json');
  vi.restoreAllMocks();
  log.mockClear();
  onPlatform('linux');
});

describe('with a keychain', () => {
  it('stores a secret for the next start, encrypted, in a file with mode 0600', async () => {
    const firstVault = await openVault();
    expect(firstVault.backend).toBe('system');
    expect(await firstVault.answer(set('a', CANARY))).toEqual({ type: 'secret', ask: 2, done: true });
    expect(readFileSync(file, 'utf8')).not.toContain(CANARY);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const secondVault = await openVault();
    expect(await secondVault.answer(get('a'))).toEqual({
      type: 'secret',
      ask: 1,
      done: true,
      secret: CANARY,
    });
    await secondVault.answer(drop('a'));
    expect(await (await openVault()).answer(get('a'))).toEqual({ type: 'secret', ask: 1, done: true });
    expect(log).not.toHaveBeenCalled();
  });

  it('answers requests in order', async () => {
    const vault = await openVault();
    const answers = [vault.answer(set('a', 'one')), vault.answer(get('a')), vault.answer(drop('a'))];
    answers.push(vault.answer(get('a')));
    expect((await Promise.all(answers)).map(({ secret }) => secret)).toEqual([
      undefined,
      'one',
      undefined,
      undefined,
    ]);
  });

  it('reports a secret that cannot be stored, keeps the previous one, and logs neither', async () => {
    const vault = await openVault();
    await vault.answer(set('a', 'before'));
    fake.safeStorage.encryptStringAsync.mockRejectedValueOnce(new Error(CANARY));
    expect(await vault.answer(set('a', CANARY))).toEqual({ type: 'secret', ask: 2, done: false });
    expect(await vault.answer(get('a'))).toMatchObject({ secret: 'before' });
    expect(log.mock.calls).toEqual([['secrets: a change could not be stored']]);
  });

  it('reports a file that cannot be written', async () => {
    writeFileSync(file, 'in the way');
    file = join(file, 'secrets.json');
    const vault = await openVault();
    expect(await vault.answer(set('a', CANARY))).toMatchObject({ done: false });
    expect(await vault.answer(get('a'))).not.toHaveProperty('secret');
  });

  it('returns no secret if it cannot be decrypted, and does not change the file', async () => {
    const vault = await openVault();
    await vault.answer(set('a', 'one'));
    const originalText = readFileSync(file, 'utf8');
    fake.safeStorage.decryptStringAsync.mockRejectedValueOnce(new Error(CANARY));
    expect(await vault.answer(get('a'))).toEqual({ type: 'secret', ask: 1, done: true });
    expect(readFileSync(file, 'utf8')).toBe(originalText);
    expect(log.mock.calls).toEqual([['secrets: one could not be decrypted']]);
  });

  it('encrypts a secret again if the system has another key, and returns it in any case', async () => {
    const vault = await openVault();
    await vault.answer(set('a', 'one'));
    const stale = { shouldReEncrypt: true, result: 'one' };
    fake.safeStorage.decryptStringAsync.mockResolvedValueOnce(stale);
    fake.safeStorage.encryptStringAsync.mockResolvedValueOnce(Buffer.from('another key'));
    expect(await vault.answer(get('a'))).toMatchObject({ secret: 'one' });
    expect(readFileSync(file, 'utf8')).toContain(Buffer.from('another key').toString('base64'));

    fake.safeStorage.decryptStringAsync.mockResolvedValueOnce(stale);
    fake.safeStorage.encryptStringAsync.mockRejectedValueOnce(new Error('no'));
    expect(await vault.answer(get('a'))).toMatchObject({ secret: 'one' });
    expect(log.mock.calls).toEqual([['secrets: one could not be encrypted again']]);
  });

  it.each(['', '[1]', '{"a":1}', '{"a":'])(
    'does not replace a file that contains %j, and stores nothing',
    async (content) => {
      writeFileSync(file, content);
      const vault = await openVault();
      expect(await vault.answer(get('a'))).not.toHaveProperty('secret');
      expect(await vault.answer(set('a', CANARY))).toMatchObject({ done: false });
      expect(await vault.answer(drop('a'))).toMatchObject({ done: false });
      expect(readFileSync(file, 'utf8')).toBe(content);
      expect(log.mock.calls[0]).toEqual([
        'secrets: the file is not a secrets file and was not changed; move it away to store secrets again',
      ]);
    },
  );
});

describe('which keychains count', () => {
  it.each(['gnome_libsecret', 'kwallet', 'kwallet5', 'kwallet6'])('uses %s on Linux', async (backend) => {
    fake.safeStorage.getSelectedStorageBackend.mockReturnValueOnce(backend);
    expect((await openVault()).backend).toBe('system');
  });

  it.each(['basic_text', 'unknown', 'of-later'])(
    'does not use %s on Linux: secrets stay in memory until the application ends',
    async (backend) => {
      fake.safeStorage.getSelectedStorageBackend.mockReturnValueOnce(backend);
      const vault = await openVault();
      expect(vault.backend).toBe('session');
      await vault.answer(set('a', CANARY));
      expect(await vault.answer(get('a'))).toMatchObject({ secret: CANARY });
      await vault.answer(drop('a'));
      expect(await vault.answer(get('a'))).not.toHaveProperty('secret');
      expect(() => readFileSync(file)).toThrow('ENOENT');
      expect(log.mock.calls).toEqual([['secrets: no keychain, kept for the session']]);
    },
  );

  it.each(['darwin', 'win32'] as const)(
    'uses the encryption of the system on %s, if available',
    async (platform) => {
      onPlatform(platform);
      fake.safeStorage.getSelectedStorageBackend.mockReturnValue('basic_text');
      expect((await openVault()).backend).toBe('system');
      fake.safeStorage.isAsyncEncryptionAvailable.mockResolvedValueOnce(false);
      expect((await openVault()).backend).toBe('session');
      fake.safeStorage.isAsyncEncryptionAvailable.mockRejectedValueOnce(new Error('no'));
      expect((await openVault()).backend).toBe('session');
      rmSync(file, { force: true });
    },
  );
});
