import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BrowserWindow } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { pickFiles, open, readArguments, readFiles, setupOpening } from './opening.ts';
import * as fake from './testing/fake-electron.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

beforeEach(() => {
  fake.app.removeAllListeners();
  fake.app.isPackaged = true;
  vi.clearAllMocks();
});

function decodeText(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

it('reads files and links from the arguments of a start, and ignores all others', () => {
  const argv = ['/app/electron', '--flag=x.json', '.', 'a.json', '/b/C.NDJSON', 'c.txt'];
  expect(
    readArguments([...argv, 'chartkeeper://open/Local/abc', 'CHARTKEEPER:x', 'https://x/y.json2'], '/in'),
  ).toEqual({
    paths: [resolve('/in/a.json'), resolve('/b/C.NDJSON')],
    links: [{ connection: 'Local', id: 'abc' }],
  });
  expect(readArguments(['/app/own.json'], '/in')).toEqual({ paths: [], links: [] });
});

it('reads the files, and explains why others were skipped', async () => {
  const folder = temporaryFolder();
  const toPath = (name: string) => join(folder, name);
  writeFileSync(toPath('a.json'), '{"n":1.00}');
  writeFileSync(toPath('b.ndjson'), '{}\n');
  writeFileSync(toPath('notes.txt'), 'x');
  mkdirSync(toPath('folder.json'));
  writeFileSync(toPath('large.jsonl'), '');
  truncateSync(toPath('large.jsonl'), 1000);
  const names = ['a.json', 'notes.txt', 'folder.json', 'missing.json', 'large.jsonl', 'b.ndjson'];
  const { files, skippedNames } = await readFiles(names.map(toPath), 500);
  expect(files.map(({ name, bytes }) => [name, decodeText(bytes)])).toEqual([
    ['a.json', '{"n":1.00}'],
    ['b.ndjson', '{}\n'],
  ]);
  expect(skippedNames).toEqual([
    'notes.txt: only .json, .ndjson and .jsonl files can be imported.',
    'folder.json is not a file.',
    'Couldn’t read missing.json.',
    'large.jsonl is larger than 200 MB and can’t be opened this way. Drop it on the window, or choose it in Data.',
  ]);
  // The limit applies to all files together.
  expect((await readFiles([toPath('a.json'), toPath('b.ndjson')], 12)).skippedNames).toHaveLength(1);
});

it('accepts files and links of the system, even before there is a window', () => {
  const opening = setupOpening(false);
  const preventDefault = vi.fn();
  fake.app.emit('open-file', { preventDefault }, '/a.json');
  const onOpen = vi.fn();
  opening.begin(onOpen);
  fake.app.emit('open-url', { preventDefault }, 'chartkeeper://open/Local/abc');
  fake.app.emit('open-url', { preventDefault }, 'chartkeeper://set/https%3A%2F%2Fevil.example');
  fake.app.emit('second-instance', {}, ['/app', 'b.json'], '/in');
  expect(preventDefault).toHaveBeenCalledTimes(3);
  const requests = onOpen.mock.calls.map(([request]: unknown[]) => request);
  // The first request has this process's arguments, which contain no file.
  expect(requests.slice(1)).toEqual([
    { paths: ['/a.json'], links: [] },
    { paths: [], links: [{ connection: 'Local', id: 'abc' }] },
    { paths: [], links: [] },
    { paths: [resolve('/in/b.json')], links: [] },
  ]);
});

it('registers for links only if installed: not from its sources, nor as a portable copy', () => {
  setupOpening(false);
  expect(fake.app.setAsDefaultProtocolClient.mock.calls).toEqual([['chartkeeper']]);
  setupOpening(true);
  fake.app.isPackaged = false;
  setupOpening(false);
  expect(fake.app.setAsDefaultProtocolClient).toHaveBeenCalledOnce();
});

it('passes on links and files, and reports skipped ones', async () => {
  const file = join(temporaryFolder(), 'a.json');
  writeFileSync(file, '{}');
  const deliver = vi.fn();
  const link = { connection: 'Local', id: 'abc' };
  await open({ paths: [file, '/missing.json'], links: [link] }, new BrowserWindow(), deliver);
  expect(deliver.mock.calls).toEqual([
    [{ kind: 'record', link }],
    [{ kind: 'files', files: [{ name: 'a.json', bytes: new Uint8Array([123, 125]) }] }],
  ]);
  expect(fake.dialog.showMessageBox.mock.calls[0]?.[1]).toMatchObject({
    message: '1 file skipped',
    detail: 'Couldn’t read missing.json.',
  });
});

it('asks for files with the extensions of the import', async () => {
  const window = new BrowserWindow();
  fake.dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: ['/a.json'] });
  expect(await pickFiles(window)).toEqual(['/a.json']);
  expect(fake.dialog.showOpenDialog.mock.calls[0]?.[1]).toMatchObject({
    properties: ['openFile', 'multiSelections'],
    filters: [{ extensions: ['json', 'ndjson', 'jsonl'] }],
  });
  fake.dialog.showOpenDialog.mockResolvedValueOnce({ canceled: true, filePaths: ['/a.json'] });
  expect(await pickFiles(window)).toEqual([]);
});
