import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as fake from './testing/fake-electron.ts';
import { temporaryFolder } from './testing/temp-folder.ts';
import { text } from './text.ts';
import { isNewer, lookForUpdate, tellUpdate } from './update-check.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ADDRESS = 'https://updates.example.org/chartkeeper.json';
const PAGE = 'https://updates.example.org/';
const VERSION = '1.2.3';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

let file = '';
let none = '';
const configure = (source: unknown) => writeFileSync(file, JSON.stringify(source));

const releaseOf = (version: string, others = {}) =>
  JSON.stringify({ product: 'chartkeeper', version, page: PAGE, ...others });
const signed = (release: string, by = privateKey) =>
  JSON.stringify({ release, signature: sign(null, Buffer.from(release), by).toString('base64') });

const ask = vi.fn((_address: string, _init: RequestInit) => Promise.resolve(new Response('')));
const answer = (body: string, init?: ResponseInit) => ask.mockResolvedValueOnce(new Response(body, init));
const look = (path = file) => lookForUpdate({ file: path, version: VERSION, fetch: ask });

beforeEach(() => {
  vi.clearAllMocks();
  const folder = temporaryFolder();
  [file, none] = [join(folder, 'updates.json'), join(folder, 'none.json')];
  configure({ address: ADDRESS, key });
});
afterEach(() => void vi.unstubAllGlobals());

it('asks nobody where nothing is configured', async () => {
  expect(await look(none)).toEqual({ kind: 'off' });
  expect(ask).not.toHaveBeenCalled();
});

it.each([
  ['no https address', { address: 'http://updates.example.org/', key }],
  ['a file', { address: 'file:///etc/passwd', key }],
  ['no key', { address: ADDRESS }],
  ['a key that is none', { address: ADDRESS, key: 'AAAA' }],
  [
    'a key of another kind',
    {
      address: ADDRESS,
      key: generateKeyPairSync('ed448').publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    },
  ],
  ['nothing of it', []],
])('asks nobody where %s is configured, and says so', async (_, source) => {
  configure(source);
  expect(await look()).toEqual({ kind: 'failed', reason: text.update.notConfigured(file) });
  expect(ask).not.toHaveBeenCalled();
});

it('tells a newer version that is signed, and where a person gets it', async () => {
  answer(signed(releaseOf('1.3.0')));
  expect(await look()).toEqual({ kind: 'newer', version: '1.3.0', page: PAGE });
  const [address, init] = ask.mock.lastCall ?? [];
  expect(address).toBe(ADDRESS);
  expect(init).toMatchObject({ credentials: 'omit', redirect: 'error' });
  expect(init).not.toHaveProperty('headers');
});

it.each(['1.2.3', '1.2.2', '0.9.9', '1.0.10'])(
  'an older file (%s) leads to no older version',
  async (version) => {
    answer(signed(releaseOf(version)));
    expect(await look()).toEqual({ kind: 'newest' });
  },
);

const other = generateKeyPairSync('ed25519').privateKey;
it.each([
  ['another key', signed(releaseOf('9.0.0'), other)],
  ['no key', JSON.stringify({ release: releaseOf('9.0.0'), signature: '' })],
  ['its key before it was changed', signed(releaseOf('9.0.0')).replace('9.0.0', '9.0.1')],
  ['its key, and is of another product', signed(releaseOf('9.0.0', { product: 'other' }))],
  ['its key, and leads to no https page', signed(releaseOf('9.0.0', { page: 'http://x.example/' }))],
  ['its key, and has no plain version', signed(releaseOf('9.0.0-beta'))],
  ['nothing, as a page', '<html></html>'],
])('a release signed with %s is none', async (_, body) => {
  answer(body);
  expect(await look()).toEqual({ kind: 'failed', reason: text.update.notSigned });
});

it('an answer that is an error, too long or none is a failure, not the newest version', async () => {
  const failed = { kind: 'failed', reason: text.update.noAnswer };
  answer(signed(releaseOf('9.0.0')), { status: 404 });
  expect(await look()).toEqual(failed);
  answer(signed(releaseOf('9.0.0', { notes: 'x'.repeat(70_000) })));
  expect(await look()).toEqual(failed);
  ask.mockRejectedValueOnce(new Error('no network'));
  expect(await look()).toEqual(failed);
});

it.each([
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.9.9', true],
  ['1.2.4', '1.2.3', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.2.10', false],
])('%s is newer than %s: %s', (offered, running, newer) => {
  expect(isNewer(offered, running)).toBe(newer);
});

it('says what came of it, and opens, downloads and installs nothing', async () => {
  vi.stubGlobal('fetch', ask);
  const window = new BrowserWindow();
  const said = () => fake.dialog.showMessageBox.mock.lastCall?.[1];
  await tellUpdate(window, none);
  expect(said()).toMatchObject({ message: text.update.off, detail: text.update.offDetail(none) });
  answer(signed(releaseOf('1.3.0')));
  await tellUpdate(window, file);
  expect(said()).toMatchObject({ message: text.update.newer('1.3.0'), buttons: [text.close] });
  expect(said()?.detail).toContain(PAGE);
  answer(signed(releaseOf(VERSION)));
  await tellUpdate(window, file);
  expect(said()).toMatchObject({ message: text.update.newest(VERSION) });
  answer('');
  await tellUpdate(window, file);
  expect(said()).toMatchObject({ type: 'error', message: text.update.failed });
  expect(fake.shell.openExternal).not.toHaveBeenCalled();
  expect(ask).toHaveBeenCalledTimes(3);
});
