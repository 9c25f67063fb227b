import { expect, test } from 'vitest';
import { listSelectedFiles, droppedFiles } from './chosen-files.ts';

const createFile = (name: string, content = '{}') => ({ name, file: new File([content], name) });

test('lists files by name, with their format by extension', () => {
  const names = ['ward/c.JSONL', 'b.ndjson.gz', 'a.v2.json', 'd.xml', 'e.zip', 'README'];
  expect(
    listSelectedFiles(names.map((name) => createFile(name))).map(({ name, format }) => [name, format]),
  ).toEqual([
    ['a.v2.json', 'json'],
    ['b.ndjson.gz', 'gzip'],
    ['d.xml', 'xml'],
    ['e.zip', 'zip'],
    ['README', 'other'],
    ['ward/c.JSONL', 'lines'],
  ]);
});

test('leaves out files of version control and of macOS', () => {
  const names = ['w/.git/config', '__MACOSX/a.json', 'w/._a.json', 'w/.DS_Store', 'w/.gitignore'];
  expect(listSelectedFiles(names.map((name) => createFile(name))).map(({ name }) => name)).toEqual([
    'w/.gitignore',
  ]);
});

/** Entry of a dropped file or folder. A folder lists its entries one at a time. */
const entryOf = (fullPath: string, inside?: readonly unknown[]) => ({
  fullPath,
  isFile: !inside,
  isDirectory: inside !== undefined,
  file: (done: (file: File) => void) => done(new File(['{}'], fullPath)),
  createReader: () => {
    const remainingEntries = [...(inside ?? [])];
    return { readEntries: (done: (entries: unknown) => void) => done(remainingEntries.splice(0, 1)) };
  },
});

test('collects dropped files, files in folders with their paths, and items without an entry', async () => {
  const ward = entryOf('/ward', [
    entryOf('/ward/a.json'),
    entryOf('/ward/more', [entryOf('/ward/more/b.json')]),
  ]);
  const items = [ward, entryOf('/c.json'), { isFile: false, isDirectory: false }].map((entry) => ({
    webkitGetAsEntry: () => entry,
    getAsFile: () => null,
  }));
  const plain = { webkitGetAsEntry: () => null, getAsFile: () => new File(['{}'], 'd.json') };
  const dropped = await droppedFiles({ items: [...items, plain] } as unknown as DataTransfer);
  expect(dropped.map(({ name }) => name)).toEqual(['ward/a.json', 'ward/more/b.json', 'c.json', 'd.json']);
});
