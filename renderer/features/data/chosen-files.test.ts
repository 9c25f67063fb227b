import { expect, test } from 'vitest';
import { text } from '../../ui/text.ts';
import { chosenFiles, droppedFiles } from './chosen-files.ts';

const named = (name: string, content = '{}') => ({ name, file: new File([content], name) });

test('files are taken by the end of their name, in the order of their names', () => {
  const chosen = chosenFiles(['ward/c.JSONL', 'b.ndjson', 'a.v2.json'].map((name) => named(name)));
  expect(chosen.leftOut).toEqual([]);
  expect(chosen.files.map(({ name, kind }) => [name, kind])).toEqual([
    ['a.v2.json', 'json'],
    ['b.ndjson', 'lines'],
    ['ward/c.JSONL', 'lines'],
  ]);
});

test('what cannot be imported is left out with one reason each, and the others are taken', () => {
  const files = [
    named('notes.txt'),
    named('README'),
    named('none.csv', ''),
    named('a.json'),
    named('b.json', ''),
  ];
  const chosen = chosenFiles(files);
  expect(chosen.files.map(({ name }) => name)).toEqual(['a.json']);
  expect(chosen.leftOut).toEqual([
    ...['notes.txt', 'README', 'none.csv'].map(text.data.wrongType),
    text.data.emptyFile('b.json'),
  ]);
});

/** What a browser tells of a file, or of a folder, whose names it hands over one by one. */
const entryOf = (fullPath: string, inside?: readonly unknown[]) => ({
  ...{ fullPath, isFile: !inside, isDirectory: inside !== undefined },
  file: (done: (file: File) => void) => done(new File(['{}'], fullPath)),
  createReader: () => {
    const left = [...(inside ?? [])];
    return { readEntries: (done: (some: unknown) => void) => done(left.splice(0, 1)) };
  },
});

test('of what is dropped all files are taken, those of folders with their paths, and what is no file by no name', async () => {
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
