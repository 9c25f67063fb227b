import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as fake from './testing/fake-electron.ts';
import { temporaryFolder } from './testing/temp-folder.ts';
import { text } from './text.ts';
import { isNewer, fetchUpdate, showUpdate } from './update-check.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ADDRESS = 'https://updates.example.org/chartkeeper.json';
const PAGE = 'https://updates.example.org/';
const VERSION = '1.2.3';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

let file = '';
let missingFile = '';
const configure = (source: unknown) => writeFileSync(file, JSON.stringify(source));

const createRelease = (version: string, otherMembers = {}) =>
  JSON.stringify({ product: 'chartkeeper', version, page: PAGE, ...otherMembers });
const signRelease = (release: string, signingKey = privateKey) =>
  JSON.stringify({ release, signature: sign(null, Buffer.from(release), signingKey).toString('base64') });

const fetchMock = vi.fn((_address: string, _init: RequestInit) => Promise.resolve(new Response('')));
const respond = (body: string, init?: ResponseInit) =>
  fetchMock.mockResolvedValueOnce(new Response(body, init));
const checkForUpdate = (path = file) => fetchUpdate({ file: path, version: VERSION, fetch: fetchMock });

beforeEach(() => {
  vi.clearAllMocks();
  const folder = temporaryFolder();
  [file, missingFile] = [join(folder, 'updates.json'), join(folder, 'none.json')];
  configure({ address: ADDRESS, key });
});
afterEach(() => void vi.unstubAllGlobals());

it('sends no request without a configuration', async () => {
  expect(await checkForUpdate(missingFile)).toEqual({ kind: 'off' });
  expect(fetchMock).not.toHaveBeenCalled();
});

it.each([
  ['no https address', { address: 'http://updates.example.org/', key }],
  ['a file', { address: 'file:///etc/passwd', key }],
  ['no key', { address: ADDRESS }],
  ['an invalid key', { address: ADDRESS, key: 'AAAA' }],
  [
    'a key of another kind',
    {
      address: ADDRESS,
      key: generateKeyPairSync('ed448').publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    },
  ],
  ['none of these members', []],
])('sends no request if %s is configured, and reports the problem', async (_, source) => {
  configure(source);
  expect(await checkForUpdate()).toEqual({ kind: 'failed', reason: text.update.notConfigured(file) });
  expect(fetchMock).not.toHaveBeenCalled();
});

it('reports a newer signed version and its page', async () => {
  respond(signRelease(createRelease('1.3.0')));
  expect(await checkForUpdate()).toEqual({ kind: 'newer', version: '1.3.0', page: PAGE });
  const [address, init] = fetchMock.mock.lastCall ?? [];
  expect(address).toBe(ADDRESS);
  expect(init).toMatchObject({ credentials: 'omit', redirect: 'error' });
  expect(init).not.toHaveProperty('headers');
});

it.each(['1.2.3', '1.2.2', '0.9.9', '1.0.10'])('does not report an older version (%s)', async (version) => {
  respond(signRelease(createRelease(version)));
  expect(await checkForUpdate()).toEqual({ kind: 'newest' });
});

const otherKey = generateKeyPairSync('ed25519').privateKey;
it.each([
  ['another key', signRelease(createRelease('9.0.0'), otherKey)],
  ['no key', JSON.stringify({ release: createRelease('9.0.0'), signature: '' })],
  ['its key before it was changed', signRelease(createRelease('9.0.0')).replace('9.0.0', '9.0.1')],
  ['its key, and is of another product', signRelease(createRelease('9.0.0', { product: 'other' }))],
  ['its key, and leads to no https page', signRelease(createRelease('9.0.0', { page: 'http://x.example/' }))],
  ['its key, and has no plain version', signRelease(createRelease('9.0.0-beta'))],
  ['nothing, as a page', '<html></html>'],
])('rejects a release signed with %s', async (_, body) => {
  respond(body);
  expect(await checkForUpdate()).toEqual({ kind: 'failed', reason: text.update.notSigned });
});

it('fails on an error, on an oversized response and without a response', async () => {
  const failedResult = { kind: 'failed', reason: text.update.noAnswer };
  respond(signRelease(createRelease('9.0.0')), { status: 404 });
  expect(await checkForUpdate()).toEqual(failedResult);
  respond(signRelease(createRelease('9.0.0', { notes: 'x'.repeat(70_000) })));
  expect(await checkForUpdate()).toEqual(failedResult);
  fetchMock.mockRejectedValueOnce(new Error('no network'));
  expect(await checkForUpdate()).toEqual(failedResult);
});

it.each([
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.9.9', true],
  ['1.2.4', '1.2.3', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.2.10', false],
])('%s is newer than %s: %s', (candidate, current, expected) => {
  expect(isNewer(candidate, current)).toBe(expected);
});

it('shows the result, and opens, downloads and installs nothing', async () => {
  vi.stubGlobal('fetch', fetchMock);
  const window = new BrowserWindow();
  const readMessage = () => fake.dialog.showMessageBox.mock.lastCall?.[1];
  await showUpdate(window, missingFile);
  expect(readMessage()).toMatchObject({
    message: text.update.off,
    detail: text.update.offDetail(missingFile),
  });
  respond(signRelease(createRelease('1.3.0')));
  await showUpdate(window, file);
  expect(readMessage()).toMatchObject({ message: text.update.newer('1.3.0'), buttons: [text.close] });
  expect(readMessage()?.detail).toContain(PAGE);
  respond(signRelease(createRelease(VERSION)));
  await showUpdate(window, file);
  expect(readMessage()).toMatchObject({ message: text.update.newest(VERSION) });
  respond('');
  await showUpdate(window, file);
  expect(readMessage()).toMatchObject({ type: 'error', message: text.update.failed });
  expect(fake.shell.openExternal).not.toHaveBeenCalled();
  expect(fetchMock).toHaveBeenCalledTimes(3);
});
