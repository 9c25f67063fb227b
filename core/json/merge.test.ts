import { describe, expect, test } from 'vitest';
import { merge, type Merge } from './merge.ts';
import { serializeNode, type JsonNode } from './node.ts';
import { scan } from './scan.ts';
import type { Json } from './testing/edits.ts';

const parse = (text: string) => scan(text).root;
const plain = (jsonNode: JsonNode): Json => JSON.parse(serializeNode(jsonNode)) as Json;
const mergeTexts = (base: string, ours: string, theirs: string) =>
  merge(parse(base), parse(ours), parse(theirs));
const summarizeRows = ({ rows }: Merge) => rows.map(({ pointer, side, preset }) => [pointer, side, preset]);

describe('members', () => {
  test('combines changes of different members', () => {
    const mergeResult = mergeTexts('{"a":1,"b":2,"c":3}', '{"a":9,"b":2,"c":3}', '{"a":1,"b":2,"d":4}');
    expect(summarizeRows(mergeResult)).toEqual([
      ['/a', 'ours', 'ours'],
      ['/d', 'theirs', 'theirs'],
      ['/c', 'theirs', 'theirs'],
    ]);
    expect(mergeResult.disjoint).toBe(true);
    expect(serializeNode(mergeResult.resolve())).toBe('{"a":9,"b":2,"d":4}');
  });

  test('reports an overlap with both choices for one member', () => {
    const mergeResult = mergeTexts('{"a":1}', '{"a":2}', '{"a":3}');
    expect(mergeResult.disjoint).toBe(false);
    expect(mergeResult.rows[0]?.choices).toEqual(['ours', 'theirs']);
    expect(serializeNode(mergeResult.resolve(new Map([[0, 'theirs']])))).toBe('{"a":3}');
    expect(serializeNode(mergeResult.resolve(new Map([[0, 'ours']])))).toBe('{"a":2}');
  });

  test('reports an overlap of a removal and a change', () => {
    expect(summarizeRows(mergeTexts('{"a":{"x":1,"y":2}}', '{}', '{"a":{"x":1,"y":3}}'))).toEqual([
      ['/a', 'overlap', undefined],
    ]);
  });

  test('needs no choice for equal changes', () => {
    const mergeResult = mergeTexts('{"a":1}', '{"a":2}', '{"a":2}');
    expect(mergeResult.disjoint).toBe(true);
    expect(mergeResult.rows).toMatchObject([{ side: 'same', choices: [] }]);
    expect(serializeNode(mergeResult.resolve())).toBe('{"a":2}');
  });

  test('can leave out a change of one side', () => {
    const mergeResult = mergeTexts('{"a":1,"b":2}', '{"a":9,"b":2}', '{"a":1,"b":8}');
    expect(mergeResult.rows.map(({ choices }) => choices)).toEqual([
      ['ours', 'theirs'],
      ['ours', 'theirs'],
    ]);
    expect(serializeNode(mergeResult.resolve(new Map([[0, 'theirs']])))).toBe('{"a":1,"b":8}');
    expect(serializeNode(mergeResult.resolve(new Map([[1, 'ours']])))).toBe('{"a":9,"b":2}');
  });

  test('preserves digits and escapes', () => {
    const text = '{"a":1.00,"b":12345678901234567890.10,"\\u0063":"\\u00e9"}';
    const mergeResult = mergeTexts(text, text.replace('1.00', '2.50'), text.replace('.10', '.1000'));
    expect(serializeNode(mergeResult.resolve())).toBe(
      '{"a":2.50,"b":12345678901234567890.1000,"\\u0063":"\\u00e9"}',
    );
  });
});

describe('items', () => {
  test('combines an added item and a change of another', () => {
    const mergeResult = mergeTexts(
      '{"l":[{"v":1,"n":"a"},{"v":2,"n":"b"}]}',
      '{"l":[{"v":1,"n":"a"},{"v":5,"n":"b"}]}',
      '{"l":[{"v":0,"n":"z"},{"v":1,"n":"a"},{"v":2,"n":"b"}]}',
    );
    expect(mergeResult.disjoint).toBe(true);
    expect(plain(mergeResult.resolve())).toEqual({
      l: [
        { v: 0, n: 'z' },
        { v: 1, n: 'a' },
        { v: 5, n: 'b' },
      ],
    });
  });

  test('treats a repeated value as an addition', () => {
    const mergeResult = mergeTexts('["a"]', '["a","a"]', '["a"]');
    expect(mergeResult.disjoint).toBe(true);
    expect(serializeNode(mergeResult.resolve())).toBe('["a","a"]');
  });

  test('detects a change before an added item', () => {
    const mergeResult = mergeTexts(
      '[{"s":"active","t":"walk"}]',
      '[{"s":"active","t":"run"},{"s":"new","t":"swim"}]',
      '[{"s":"active","t":"walk","note":"daily"}]',
    );
    expect(mergeResult.disjoint).toBe(true);
    expect(plain(mergeResult.resolve())).toEqual([
      { s: 'active', t: 'run', note: 'daily' },
      { s: 'new', t: 'swim' },
    ]);
  });

  test('reports an overlap if one side removed and the other changed an item', () => {
    expect(summarizeRows(mergeTexts('[{"v":1},{"v":2}]', '[{"v":1}]', '[{"v":1},{"v":3}]'))).toEqual([
      ['/1', 'overlap', undefined],
    ]);
  });

  test('does not pair items by index if one side removed the first and added a last one', () => {
    const mergeResult = mergeTexts('["a","b","c"]', '["b","c","d"]', '["x","b","c"]');
    expect(mergeResult.disjoint).toBe(false);
    expect(plain(mergeResult.resolve(new Map([[0, 'theirs']])))).toEqual(['x', 'b', 'c', 'd']);
  });

  test('pairs items by id with other items between them', () => {
    const mergeResult = mergeTexts(
      '[{"id":"1","v":1},{"id":"2","v":2}]',
      '[{"id":"0","v":7},{"id":"1","v":1},{"id":"2","v":3}]',
      '[{"id":"1","v":9},{"id":"2","v":2}]',
    );
    expect(mergeResult.disjoint).toBe(true);
    expect(plain(mergeResult.resolve())).toEqual([
      { id: '0', v: 7 },
      { id: '1', v: 9 },
      { id: '2', v: 3 },
    ]);
  });

  test('offers both insertions at one place for a decision', () => {
    const mergeResult = mergeTexts('["a"]', '["a","m"]', '["a","t"]');
    expect(mergeResult.disjoint).toBe(false);
    expect(mergeResult.rows[0]?.choices).toEqual(['both', 'ours', 'theirs']);
    expect(plain(mergeResult.resolve())).toEqual(['a', 't', 'm']);
  });

  test('treats a list with moved items as one value', () => {
    const mergeResult = mergeTexts('["a","b","c"]', '["b","c","a"]', '["a","b","c","d"]');
    expect(summarizeRows(mergeResult)).toEqual([['', 'overlap', undefined]]);
  });

  test('reports a removal of an item that the other side moved and changed', () => {
    const mergeResult = mergeTexts('["a",{"v":1,"n":"x"}]', '["a"]', '[{"v":2,"n":"x"},"a"]');
    expect(summarizeRows(mergeResult)).toEqual([['', 'overlap', undefined]]);
  });

  test('reports a change of an item that the other side moved, changed and replaced', () => {
    const mergeResult = mergeTexts(
      '[{"a":"x"},"s"]',
      '["new","s",{"a":"x","b":1}]',
      '[{"a":"x","b":2},"s","t"]',
    );
    expect(summarizeRows(mergeResult)).toEqual([['', 'overlap', undefined]]);
  });

  test('combines a replacement by a similar item and a change of another', () => {
    const mergeResult = mergeTexts(
      '[{"v":1,"n":"x"},{"v":7,"n":"y"},{"v":3,"n":"z"}]',
      '[{"v":7,"n":"y"},{"v":3,"n":"z"},{"v":2,"n":"x"}]',
      '[{"v":1,"n":"x"},{"v":8,"n":"y"},{"v":3,"n":"z"}]',
    );
    expect(mergeResult.disjoint).toBe(true);
    expect(plain(mergeResult.resolve())).toEqual([
      { v: 8, n: 'y' },
      { v: 3, n: 'z' },
      { v: 2, n: 'x' },
    ]);
  });

  test('does not treat a replaced item as a change of the original', () => {
    const mergeResult = mergeTexts(
      '[{"d":{"s":"x","t":"walk","p":"daily"}}]',
      '[{"d":{"s":"x","t":"diet","p":"never"}}]',
      '[{"d":{"s":"y","t":"walk","p":"daily"}}]',
    );
    expect(summarizeRows(mergeResult)).toEqual([['/0', 'overlap', undefined]]);
  });

  test('treats a list and the list of its extensions as one value', () => {
    const mergeResult = mergeTexts(
      '{"x":{"g":["a","b"],"_g":[null,{"id":"1"}]}}',
      '{"x":{"g":["b"],"_g":[{"id":"1"}]}}',
      '{"x":{"g":["a","b"],"_g":[null,{"id":"2"}]}}',
    );
    expect(summarizeRows(mergeResult)).toEqual([['/x', 'overlap', undefined]]);
  });

  test('combines changes of a single value and of its extensions', () => {
    const mergeResult = mergeTexts(
      '{"g":1,"_g":{"id":"1"}}',
      '{"g":2,"_g":{"id":"1"}}',
      '{"g":1,"_g":{"id":"2"}}',
    );
    expect(serializeNode(mergeResult.resolve())).toBe('{"g":2,"_g":{"id":"2"}}');
  });
});
