import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { containedId, firstName, maxNameValues, nameOf, nodesAt, ownName, shortId } from './names.ts';

const nodeOf = (value: unknown) => scan(JSON.stringify(value)).root;

test.each([
  [{ name: [{ text: 'Dr Low', given: ['R'], family: 'Low' }] }, 'Dr Low'],
  [{ name: [{ family: 'Low' }] }, 'Low'],
  [{ name: [{ text: '', family: 'Low' }] }, 'Low'],
  [{ name: [{ use: 'nickname' }, { family: 'Low' }] }, 'Low'],
  [{ name: { family: 'Low' } }, 'Low'],
  [{ name: [...Array.from({ length: maxNameValues }, () => ({})), { family: 'Low' }] }, ''],
  [{ name: [{ use: 'old', family: 'Former' }, { family: 'Low' }] }, 'Low'],
  [{ name: [{ use: 'old', family: 'Former' }] }, 'Former'],
  [{ name: 'Ward 3' }, 'Ward 3'],
  [{ name: [{}] }, ''],
  [{ name: [] }, ''],
  [{}, ''],
])('returns the name of %j: %j', (resource, name) => {
  expect(ownName(nodeOf(resource))).toBe(name);
});

test.each([
  ['text', 'text'],
  [{ text: 'T', display: 'D', coding: [{ display: 'C' }] }, 'T'],
  [{ text: '', display: 'D' }, 'D'],
  [{ coding: [{ code: 'c' }, { display: 'C' }] }, 'C'],
  [{ coding: [{ code: 'c' }] }, ''],
  [7, ''],
])('formats %j as %j', (value, name) => {
  expect(nameOf(nodeOf(value))).toBe(name);
});

test('returns the name at the first path that has one', () => {
  const record = nodeOf({ code: { coding: [] }, title: 'T', type: { text: 'K' } });
  expect(firstName(record, ['none', 'code', 'type', 'title'])).toBe('K');
  expect(firstName(record, ['none', 'code'])).toBe('');
});

test('reads only the first values of a long list', () => {
  const items = Array.from({ length: maxNameValues + 5 }, (_, index) => ({ b: index }));
  expect(nodesAt(nodeOf({ a: items }), 'a.b')).toHaveLength(maxNameValues);
  expect(nodesAt(nodeOf({ a: { b: 1 } }), 'a.b')).toHaveLength(1);
  expect(nodesAt(nodeOf({ a: 1 }), 'a.b')).toEqual([]);
  expect(nodesAt(nodeOf({ a: 1 }), undefined)).toEqual([]);
});

test.each([
  ['#a', 'a'],
  ['Patient/a', undefined],
  ['', undefined],
  [undefined, undefined],
])('parses %j as the contained id %j', (literal, id) => {
  expect(containedId(literal)).toBe(id);
});

test('shortens a long id in its middle', () => {
  expect(shortId('12345678901234')).toBe('12345678901234');
  expect(shortId('123456789012345')).toBe('12345678…2345');
});
