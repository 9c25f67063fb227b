import { describe, expect, test } from 'vitest';
import { merge, type Merge } from './merge.ts';
import type { JsonNode } from './node.ts';
import { print } from './print.ts';
import { scan } from './scan.ts';
import type { Json } from './testing/edits.ts';

const read = (text: string) => scan(text).root;
const plain = (one: JsonNode): Json => JSON.parse(print(one)) as Json;
const merged = (base: string, mine: string, theirs: string) => merge(read(base), read(mine), read(theirs));
const said = ({ rows }: Merge) => rows.map(({ pointer, by, preset }) => [pointer, by, preset]);

describe('members', () => {
  test('changes of different members stand together', () => {
    const both = merged('{"a":1,"b":2,"c":3}', '{"a":9,"b":2,"c":3}', '{"a":1,"b":2,"d":4}');
    expect(said(both)).toEqual([
      ['/a', 'mine', 'mine'],
      ['/d', 'theirs', 'theirs'],
      ['/c', 'theirs', 'theirs'],
    ]);
    expect(both.disjoint).toBe(true);
    expect(print(both.resolve())).toBe('{"a":9,"b":2,"d":4}');
  });

  test('changes of one member overlap, and each can be chosen', () => {
    const both = merged('{"a":1}', '{"a":2}', '{"a":3}');
    expect(both.disjoint).toBe(false);
    expect(both.rows[0]?.choices).toEqual(['mine', 'theirs']);
    expect(print(both.resolve(new Map([[0, 'theirs']])))).toBe('{"a":3}');
    expect(print(both.resolve(new Map([[0, 'mine']])))).toBe('{"a":2}');
  });

  test('a removal and a change of the same member overlap', () => {
    expect(said(merged('{"a":{"x":1,"y":2}}', '{}', '{"a":{"x":1,"y":3}}'))).toEqual([
      ['/a', 'overlap', undefined],
    ]);
  });

  test('what both changed alike needs no choice', () => {
    const both = merged('{"a":1}', '{"a":2}', '{"a":2}');
    expect(both.disjoint).toBe(true);
    expect(both.rows).toMatchObject([{ by: 'same', choices: [] }]);
    expect(print(both.resolve())).toBe('{"a":2}');
  });

  test('a change of one side can be left out', () => {
    const both = merged('{"a":1,"b":2}', '{"a":9,"b":2}', '{"a":1,"b":8}');
    expect(both.rows.map(({ choices }) => choices)).toEqual([
      ['mine', 'theirs'],
      ['mine', 'theirs'],
    ]);
    expect(print(both.resolve(new Map([[0, 'theirs']])))).toBe('{"a":1,"b":8}');
    expect(print(both.resolve(new Map([[1, 'mine']])))).toBe('{"a":9,"b":2}');
  });

  test('digits, escapes and their spelling stay', () => {
    const text = '{"a":1.00,"b":12345678901234567890.10,"\\u0063":"\\u00e9"}';
    const both = merged(text, text.replace('1.00', '2.50'), text.replace('.10', '.1000'));
    expect(print(both.resolve())).toBe('{"a":2.50,"b":12345678901234567890.1000,"\\u0063":"\\u00e9"}');
  });
});

describe('items', () => {
  test('an item that was added and a change of another stand together', () => {
    const both = merged(
      '{"l":[{"v":1,"n":"a"},{"v":2,"n":"b"}]}',
      '{"l":[{"v":1,"n":"a"},{"v":5,"n":"b"}]}',
      '{"l":[{"v":0,"n":"z"},{"v":1,"n":"a"},{"v":2,"n":"b"}]}',
    );
    expect(both.disjoint).toBe(true);
    expect(plain(both.resolve())).toEqual({
      l: [
        { v: 0, n: 'z' },
        { v: 1, n: 'a' },
        { v: 5, n: 'b' },
      ],
    });
  });

  test('one more of the same value is an addition', () => {
    const both = merged('["a"]', '["a","a"]', '["a"]');
    expect(both.disjoint).toBe(true);
    expect(print(both.resolve())).toBe('["a","a"]');
  });

  test('an item that was added behind one that was changed does not hide it', () => {
    const both = merged(
      '[{"s":"active","t":"walk"}]',
      '[{"s":"active","t":"run"},{"s":"new","t":"swim"}]',
      '[{"s":"active","t":"walk","note":"daily"}]',
    );
    expect(both.disjoint).toBe(true);
    expect(plain(both.resolve())).toEqual([
      { s: 'active', t: 'run', note: 'daily' },
      { s: 'new', t: 'swim' },
    ]);
  });

  test('an item that one side removed and the other changed overlaps', () => {
    expect(said(merged('[{"v":1},{"v":2}]', '[{"v":1}]', '[{"v":1},{"v":3}]'))).toEqual([
      ['/1', 'overlap', undefined],
    ]);
  });

  test('a list of which one side dropped the first and added a last item is not paired by place', () => {
    const both = merged('["a","b","c"]', '["b","c","d"]', '["x","b","c"]');
    expect(both.disjoint).toBe(false);
    expect(plain(both.resolve(new Map([[0, 'theirs']])))).toEqual(['x', 'b', 'c', 'd']);
  });

  test('items with ids are paired by id, whatever stands between', () => {
    const both = merged(
      '[{"id":"1","v":1},{"id":"2","v":2}]',
      '[{"id":"0","v":7},{"id":"1","v":1},{"id":"2","v":3}]',
      '[{"id":"1","v":9},{"id":"2","v":2}]',
    );
    expect(both.disjoint).toBe(true);
    expect(plain(both.resolve())).toEqual([
      { id: '0', v: 7 },
      { id: '1', v: 9 },
      { id: '2', v: 3 },
    ]);
  });

  test('what both sides put into one place is kept in both ways, and shown for a decision', () => {
    const both = merged('["a"]', '["a","m"]', '["a","t"]');
    expect(both.disjoint).toBe(false);
    expect(both.rows[0]?.choices).toEqual(['both', 'mine', 'theirs']);
    expect(plain(both.resolve())).toEqual(['a', 't', 'm']);
  });

  test('a list in which items moved is taken as a whole', () => {
    const both = merged('["a","b","c"]', '["b","c","a"]', '["a","b","c","d"]');
    expect(said(both)).toEqual([['', 'overlap', undefined]]);
  });

  test('an item that one side moved and changed, and the other removed, is not lost unseen', () => {
    const both = merged('["a",{"v":1,"n":"x"}]', '["a"]', '[{"v":2,"n":"x"},"a"]');
    expect(said(both)).toEqual([['', 'overlap', undefined]]);
  });

  test('an item that one side moved and changed, with another in its place, and the other changed where it was', () => {
    const both = merged('[{"a":"x"},"s"]', '["new","s",{"a":"x","b":1}]', '[{"a":"x","b":2},"s","t"]');
    expect(said(both)).toEqual([['', 'overlap', undefined]]);
  });

  test('an item replaced by one like it and a change of another stand together', () => {
    const both = merged(
      '[{"v":1,"n":"x"},{"v":7,"n":"y"},{"v":3,"n":"z"}]',
      '[{"v":7,"n":"y"},{"v":3,"n":"z"},{"v":2,"n":"x"}]',
      '[{"v":1,"n":"x"},{"v":8,"n":"y"},{"v":3,"n":"z"}]',
    );
    expect(both.disjoint).toBe(true);
    expect(plain(both.resolve())).toEqual([
      { v: 8, n: 'y' },
      { v: 3, n: 'z' },
      { v: 2, n: 'x' },
    ]);
  });

  test('another item put into the place of one that the other side changed is no change of it', () => {
    const both = merged(
      '[{"d":{"s":"x","t":"walk","p":"daily"}}]',
      '[{"d":{"s":"x","t":"diet","p":"never"}}]',
      '[{"d":{"s":"y","t":"walk","p":"daily"}}]',
    );
    expect(said(both)).toEqual([['/0', 'overlap', undefined]]);
  });

  test('a list and the list of its extensions are not torn apart', () => {
    const both = merged(
      '{"x":{"g":["a","b"],"_g":[null,{"id":"1"}]}}',
      '{"x":{"g":["b"],"_g":[{"id":"1"}]}}',
      '{"x":{"g":["a","b"],"_g":[null,{"id":"2"}]}}',
    );
    expect(said(both)).toEqual([['/x', 'overlap', undefined]]);
  });

  test('a single value and its extensions change side by side', () => {
    const both = merged('{"g":1,"_g":{"id":"1"}}', '{"g":2,"_g":{"id":"1"}}', '{"g":1,"_g":{"id":"2"}}');
    expect(print(both.resolve())).toBe('{"g":2,"_g":{"id":"2"}}');
  });
});
