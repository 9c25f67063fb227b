import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BrowserWindow } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { chooseFiles, open, readArguments, readFiles, setupOpening } from './opening.ts';
import * as fake from './testing/fake-electron.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

beforeEach(() => {
  fake.app.removeAllListeners();
  fake.app.isPackaged = true;
  vi.clearAllMocks();
});

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

it('reads files and links out of a start’s arguments, and passes over everything else', () => {
  const argv = ['/app/electron', '--flag=x.json', '.', 'a.json', '/b/C.NDJSON', 'c.txt'];
  expect(
    readArguments([...argv, 'chartkeeper://open/Local/abc', 'CHARTKEEPER:x', 'https://x/y.json2'], '/in'),
  ).toEqual({
    paths: [resolve('/in/a.json'), resolve('/b/C.NDJSON')],
    links: [{ connection: 'Local', id: 'abc' }],
  });
  expect(readArguments(['/app/own.json'], '/in')).toEqual({ paths: [], links: [] });
});

it('reads the files, and says of each other one why not', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('a.json'), '{"n":1.00}');
  writeFileSync(at('b.ndjson'), '{}\n');
  writeFileSync(at('notes.txt'), 'x');
  mkdirSync(at('folder.json'));
  writeFileSync(at('large.jsonl'), '');
  truncateSync(at('large.jsonl'), 1000);
  const names = ['a.json', 'notes.txt', 'folder.json', 'missing.json', 'large.jsonl', 'b.ndjson'];
  const { files, leftOut } = await readFiles(names.map(at), 500);
  expect(files.map(({ name, bytes }) => [name, textOf(bytes)])).toEqual([
    ['a.json', '{"n":1.00}'],
    ['b.ndjson', '{}\n'],
  ]);
  expect(leftOut).toEqual([
    'notes.txt is no .json, .ndjson or .jsonl file.',
    'folder.json is no file.',
    'missing.json could not be read.',
    'large.jsonl is too large to be opened here (more than 200 MB). Drop it on the window, or choose it in Data.',
  ]);
  // The limit is for all files together.
  expect((await readFiles([at('a.json'), at('b.ndjson')], 12)).leftOut).toHaveLength(1);
});

it('takes what the system hands over, also before there is a window', () => {
  const opening = setupOpening(false);
  const preventDefault = vi.fn();
  fake.app.emit('open-file', { preventDefault }, '/a.json');
  const take = vi.fn();
  opening.begin(take);
  fake.app.emit('open-url', { preventDefault }, 'chartkeeper://open/Local/abc');
  fake.app.emit('open-url', { preventDefault }, 'chartkeeper://set/https%3A%2F%2Fevil.example');
  fake.app.emit('second-instance', {}, ['/app', 'b.json'], '/in');
  expect(preventDefault).toHaveBeenCalledTimes(3);
  const taken = take.mock.calls.map(([named]: unknown[]) => named);
  // The first are this process' own arguments, which name nothing.
  expect(taken.slice(1)).toEqual([
    { paths: ['/a.json'], links: [] },
    { paths: [], links: [{ connection: 'Local', id: 'abc' }] },
    { paths: [], links: [] },
    { paths: [resolve('/in/b.json')], links: [] },
  ]);
});

it('takes the system’s links only when it is installed: not from its sources, nor as a portable copy', () => {
  setupOpening(false);
  expect(fake.app.setAsDefaultProtocolClient.mock.calls).toEqual([['chartkeeper']]);
  setupOpening(true);
  fake.app.isPackaged = false;
  setupOpening(false);
  expect(fake.app.setAsDefaultProtocolClient).toHaveBeenCalledOnce();
});

it('hands on links and files, and names what was left out', async () => {
  const file = join(temporaryFolder(), 'a.json');
  writeFileSync(file, '{}');
  const put = vi.fn();
  const link = { connection: 'Local', id: 'abc' };
  await open({ paths: [file, '/missing.json'], links: [link] }, new BrowserWindow(), put);
  expect(put.mock.calls).toEqual([
    [{ kind: 'record', link }],
    [{ kind: 'files', files: [{ name: 'a.json', bytes: new Uint8Array([123, 125]) }] }],
  ]);
  expect(fake.dialog.showMessageBox.mock.calls[0]?.[1]).toMatchObject({
    message: '1 file was left out.',
    detail: 'missing.json could not be read.',
  });
});

it('asks for files of the import’s kinds', async () => {
  const window = new BrowserWindow();
  fake.dialog.showOpenDialog.mockResolvedValueOnce({ canceled: false, filePaths: ['/a.json'] });
  expect(await chooseFiles(window)).toEqual(['/a.json']);
  expect(fake.dialog.showOpenDialog.mock.calls[0]?.[1]).toMatchObject({
    properties: ['openFile', 'multiSelections'],
    filters: [{ extensions: ['json', 'ndjson', 'jsonl'] }],
  });
  fake.dialog.showOpenDialog.mockResolvedValueOnce({ canceled: true, filePaths: ['/a.json'] });
  expect(await chooseFiles(window)).toEqual([]);
});
