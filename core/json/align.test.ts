import { describe, expect, test } from 'vitest';
import { alignElements, alignItems } from './align.ts';
import type { JsonNode } from './node.ts';
import { formatPointer, parsePointer } from './pointer.ts';
import { scan } from './scan.ts';

const itemsOf = (text: string): readonly JsonNode[] => {
  const { root } = scan(text);
  if (root.kind !== 'array') throw new TypeError('This is no array.');
  return root.items;
};

const partners = (before: string, after: string) => [...alignItems(itemsOf(before), itemsOf(after)).toAfter];

describe('alignItems', () => {
  test.each([
    ['["a","b"]', '["b","c","d"]', [-1, 0]],
    ['["a","b"]', '["c","a"]', [1, -1]],
    ['["a","b"]', '["c","a","d","b"]', [1, 3]],
    ['["x","a","x","b"]', '["c","a","x","b","d"]', [0, 1, 2, 3]],
    // Equal ends are paired first.
    ['["a","x","t"]', '["a","t","y","t"]', [0, -1, 3]],
    ['["a","b","c"]', '["c","a","b"]', [1, 2, 0]],
  ])('pairs equal items of %s and %s', (before, after, expected) => {
    expect(partners(before, after)).toEqual(expected);
  });

  test('pairs equal objects with another order of members', () => {
    const [firstNode, secondNode] = ['{"a":1,"b":2}', '{"b":2,"a":1}'];
    expect(partners(`[${firstNode},${firstNode}]`, `[${secondNode},${secondNode}]`)).toEqual([0, 1]);
  });

  test.each([
    ['id', '{"id":"1","t":"a"},{"id":"2","t":"b"}', '{"id":"2","t":"c"},{"id":"1","t":"d"}'],
    ['linkId', '{"linkId":"1","t":"a"},{"linkId":"2","t":"b"}', '{"linkId":"2"},{"linkId":"1"}'],
    [
      'url',
      '{"url":"u:1","valueCode":"a"},{"url":"u:2","valueCode":"b"}',
      '{"url":"u:2"},{"url":"u:1","valueCode":"c"}',
    ],
    [
      'system and value',
      '{"system":"s","value":"1","use":"old"},{"system":"s","value":"2","use":"old"}',
      '{"system":"s","value":"2","use":"usual"},{"system":"s","value":"1","use":"usual"}',
    ],
    [
      'system and code',
      '{"system":"s","code":"1","display":"a"},{"system":"s","code":"2","display":"b"}',
      '{"system":"s","code":"2","display":"c"},{"system":"s","code":"1","display":"d"}',
    ],
    [
      'reference',
      '{"reference":"A/1","display":"a"},{"reference":"A/2","display":"b"}',
      '{"reference":"A/2","display":"c"},{"reference":"A/1","display":"d"}',
    ],
    [
      'reference of an activity',
      '{"reference":{"reference":"A/1"},"n":1},{"reference":{"reference":"A/2"},"n":2}',
      '{"reference":{"reference":"A/2"},"n":3},{"reference":{"reference":"A/1"},"n":4}',
    ],
    [
      'codes of a concept',
      '{"coding":[{"system":"s","code":"1"}],"text":"a"},{"coding":[{"system":"s","code":"2"}],"text":"b"}',
      '{"coding":[{"system":"s","code":"2"}]},{"coding":[{"system":"s","code":"1"}]}',
    ],
    [
      'code of a section',
      '{"code":{"coding":[{"system":"s","code":"1"}]},"n":1},{"code":{"coding":[{"system":"s","code":"2"}]},"n":2}',
      '{"code":{"coding":[{"system":"s","code":"2"}]},"n":3},{"code":{"coding":[{"system":"s","code":"1"}]},"n":4}',
    ],
    ['title', '{"title":"a","n":1},{"title":"b","n":2}', '{"title":"b","n":3},{"title":"a","n":4}'],
  ])('pairs changed items by %s', (_name, before, after) => {
    expect(partners(`[${before}]`, `[${after}]`)).toEqual([1, 0]);
  });

  test('pairs activities by code and time', () => {
    const activity = (code: string, time: string, restMembers: string) =>
      `{"detail":{"code":{"coding":[{"system":"s","code":"${code}"}]},"scheduledString":"${time}","status":"${restMembers}"}}`;
    const before = `[${activity('1', 'am', 'a')},${activity('1', 'pm', 'b')}]`;
    const after = `[${activity('1', 'pm', 'c')},${activity('1', 'am', 'd')}]`;
    expect(partners(before, after)).toEqual([1, 0]);
  });

  test('ignores a key of two items in one list', () => {
    const before = '[{"title":"a","n":"one","o":"two"},{"title":"a","n":"three","o":"four"}]';
    const after = '[{"title":"a","n":"three","o":"five"},{"title":"b","n":"one","o":"two"}]';
    expect(partners(before, after)).toEqual([1, 0]);
  });

  test('does not use the unit of a quantity as a key', () => {
    const before = '[{"system":"s","code":"mg","value":1,"a":1},{"system":"s","code":"g","value":2,"a":2}]';
    const after = '[{"system":"s","code":"g","value":1,"a":1},{"system":"s","code":"mg","value":2,"a":2}]';
    expect(partners(before, after)).toEqual([0, 1]);
  });

  test('pairs the most similar items first', () => {
    const before = '[{"a":1,"b":2,"c":3},{"a":1,"b":5,"c":6}]';
    const after = '[{"a":1,"b":5,"c":7},{"a":1,"b":2,"c":4}]';
    expect(partners(before, after)).toEqual([1, 0]);
  });

  test.each([
    ['items without anything in common', '[{"a":1},{"b":2}]', '[{"c":3},{"d":4}]', [-1, -1]],
    ['several values of one kind', '["a","b"]', '["c","d"]', [-1, -1]],
    ['a value and an object', '["a"]', '[{"a":1}]', [-1]],
    ['objects with other members', '[{"a":1}]', '[{"b":1}]', [-1]],
  ])('does not pair %s', (_name, before, after, expected) => {
    expect(partners(before, after)).toEqual(expected);
  });

  test.each([
    ['["a","b","c"]', '["a","x","c"]', [0, 1, 2]],
    ['[1,{"c":"x"}]', '[1,{"c":"y"},2]', [0, 1]],
  ])('pairs the only item of a form between neighbors in %s and %s', (before, after, expected) => {
    expect(partners(before, after)).toEqual(expected);
  });
});

describe('alignElements', () => {
  const aligned = (before: string, after: string) => {
    const alignment = alignElements(scan(before).root, scan(after).root);
    const follow = (to: 'toBefore' | 'toAfter') => (pointer: string) => {
      const tokens = alignment[to](parsePointer(pointer) ?? []);
      return tokens && formatPointer(tokens);
    };
    return { toBefore: follow('toBefore'), toAfter: follow('toAfter') };
  };

  test('follows an element through changed lists', () => {
    const { toAfter, toBefore } = aligned(
      '{"l":[{"title":"a"},{"title":"b","l":["x","y"]}]}',
      '{"l":[{"title":"b","l":["y","z"]},{"title":"c"}]}',
    );
    expect(toAfter('/l/1/l/1')).toBe('/l/0/l/0');
    expect(toBefore('/l/0/l/0')).toBe('/l/1/l/1');
    expect(toAfter('')).toBe('');
  });

  test.each(['/l/0', '/l/0/title', '/l/1/l/0', '/l/9', '/l/01', '/l/x', '/l/1/title/x', '/none'])(
    'returns undefined for %s without a partner',
    (pointer) => {
      const { toAfter } = aligned(
        '{"l":[{"title":"a"},{"title":"b","l":["x","y"]}]}',
        '{"l":[{"title":"b","l":["y"]}]}',
      );
      expect(toAfter(pointer)).toBeUndefined();
    },
  );

  test('aligns primitives together with their ids and extensions', () => {
    const { toAfter, toBefore } = aligned(
      '{"g":["a","a",null],"_g":[{"id":"1"},{"id":"2"},{"id":"3"}]}',
      '{"g":["a",null,"a"],"_g":[{"id":"2"},{"id":"3"},{"id":"1"}]}',
    );
    expect(toAfter('/g/0')).toBe('/g/2');
    expect(toAfter('/_g/0/id')).toBe('/_g/2/id');
    expect(toAfter('/_g/2')).toBe('/_g/1');
    expect(toBefore('/g/0')).toBe('/g/1');
  });

  test('follows members of large objects', () => {
    const members = Array.from({ length: 40 }, (_, index) => `"m${index}":[${index}]`).join(',');
    const { toAfter } = aligned(`{${members}}`, `{"x":1,${members}}`);
    expect(toAfter('/m39/0')).toBe('/m39/0');
    expect(toAfter('/m40')).toBeUndefined();
  });
});
