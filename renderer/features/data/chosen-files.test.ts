import { expect, test } from 'vitest';
import { text } from '../../ui/text.ts';
import { listSelectedFiles, droppedFiles } from './chosen-files.ts';

const createFile = (name: string, content = '{}') => ({ name, file: new File([content], name) });

test('accepts files by their extension, sorted by name', () => {
  const selection = listSelectedFiles(
    ['ward/c.JSONL', 'b.ndjson', 'a.v2.json'].map((name) => createFile(name)),
  );
  expect(selection.rejections).toEqual([]);
  expect(selection.files.map(({ name, kind }) => [name, kind])).toEqual([
    ['a.v2.json', 'json'],
    ['b.ndjson', 'lines'],
    ['ward/c.JSONL', 'lines'],
  ]);
});

test('excludes unsupported files with one reason each', () => {
  const files = [
    createFile('notes.txt'),
    createFile('README'),
    createFile('none.csv', ''),
    createFile('a.json'),
    createFile('b.json', ''),
  ];
  const selection = listSelectedFiles(files);
  expect(selection.files.map(({ name }) => name)).toEqual(['a.json']);
  expect(selection.rejections).toEqual([
    ...['notes.txt', 'README', 'none.csv'].map(text.data.wrongType),
    text.data.emptyFile('b.json'),
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
