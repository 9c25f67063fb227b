import { expect, test } from 'vitest';
import { text } from '../../ui/text.ts';
import { chosenFiles } from './chosen-files.ts';

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
