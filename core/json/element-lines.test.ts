import { expect, test } from 'vitest';
import { elementLines } from './element-lines.ts';
import { scan } from './scan.ts';

const parse = (text: string) => ({ text, root: scan(text).root });
const lines = (before: object, after: object) =>
  elementLines(parse(JSON.stringify(before, null, 1)), parse(JSON.stringify(after, null, 1)));

const item = (name: string, status = 'scheduled') => ({ name, status });
const items = ['Walk', 'Swim', 'Rest', 'Read'].map((name) => item(name));
const [walk, swim, restItem, reading] = items;

test('marks the line of a removed item, and no item that moved up', () => {
  // Line 1 is "{", line 2 is "activity". An item has four lines.
  expect(lines({ activity: items }, { activity: [walk, restItem, reading] })).toEqual([
    { kind: 'removed', line: 7, count: 0 },
  ]);
  expect(lines({ activity: [walk, swim] }, { activity: [walk] })).toEqual([
    { kind: 'removed', line: 7, count: 0 },
  ]);
});

test('marks the lines of an added item and of a moved one', () => {
  expect(lines({ activity: [walk, swim] }, { activity: [walk, restItem, swim] })).toEqual([
    { kind: 'added', line: 7, count: 4 },
  ]);
  expect(lines({ activity: items }, { activity: [reading, walk, swim, restItem] })).toEqual([
    { kind: 'changed', line: 3, count: 4 },
  ]);
});

test('marks one line of a changed item that others moved', () => {
  expect(lines({ activity: items }, { activity: [walk, item('Rest', 'completed'), reading] })).toEqual([
    { kind: 'removed', line: 7, count: 0 },
    { kind: 'changed', line: 9, count: 1 },
  ]);
});

test('marks a line as changed if an element in it was added or removed', () => {
  const marks = (before: string, after: string) => elementLines(parse(before), parse(after));
  expect(marks('{"a": [1]}', '{"a": [1, 2]}')).toEqual([{ kind: 'changed', line: 1, count: 1 }]);
  expect(marks('{"a": [1, 2]}', '{"a": [1]}')).toEqual([{ kind: 'changed', line: 1, count: 1 }]);
});

test('compares lines as text if only the layout differs', () => {
  expect(elementLines(parse('{"a": 1}'), parse('{\n"a": 1}'))).toEqual([
    { kind: 'changed', line: 1, count: 2 },
  ]);
  expect(lines({ a: 1 }, { a: 1 })).toEqual([]);
});
