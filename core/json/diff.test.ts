import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listChanges } from './diff.ts';
import { diffByPosition } from './diff-by-position.ts';
import { equal, serializeNode } from './node.ts';
import { locate, parsePointer } from './pointer.ts';
import { scan } from './scan.ts';
import { applyEdits, arbitraryEdits, arbitraryObject } from './testing/edits.ts';

const parse = (text: string) => scan(text).root;
const changes = (before: string, after: string) => listChanges(parse(before), parse(after));

test('reports the smallest changed elements', () => {
  expect(changes('{"a":1.0,"b":[1,{"c":"x"}],"d":1}', '{"b":[1,{"c":"y"},2],"a":1.00,"e":[]}')).toEqual([
    { pointer: '/a', before: '1.0', after: '1.00' },
    { pointer: '/b/1/c', before: '"x"', after: '"y"' },
    { pointer: '/b/2', after: '2' },
    { pointer: '/d', before: '1' },
    { pointer: '/e', after: '[]' },
  ]);
});

describe('a list of sections', () => {
  const section = (title: string, text = `Text of ${title}`) =>
    `{"title":"${title}","text":{"status":"generated","div":"${text}"}}`;
  const record = (...sections: string[]) => `{"section":[${sections.join(',')}]}`;

  test('reports one change for a removed section', () => {
    expect(
      changes(record(section('a'), section('b'), section('c')), record(section('b'), section('c'))),
    ).toEqual([{ pointer: '/section/0', before: section('a') }]);
  });

  test('reports one change for an inserted section', () => {
    expect(
      changes(record(section('b'), section('c')), record(section('a'), section('b'), section('c'))),
    ).toEqual([{ pointer: '/section/0', after: section('a') }]);
  });

  test('reports one change for a moved section with its previous location', () => {
    expect(
      changes(
        record(section('a'), section('b'), section('c')),
        record(section('b'), section('c'), section('a')),
      ),
    ).toEqual([
      { pointer: '/section/2', from: '/section/0', before: section('a'), after: section('a'), isMoved: true },
    ]);
  });

  test('also reports the change inside a moved section', () => {
    expect(
      changes(
        record(section('a'), section('b'), section('c')),
        record(section('b'), section('c'), section('a', 'new')),
      ),
    ).toEqual([
      {
        pointer: '/section/2',
        from: '/section/0',
        before: section('a'),
        after: section('a', 'new'),
        isMoved: true,
      },
      {
        pointer: '/section/2/text/div',
        from: '/section/0/text/div',
        before: '"Text of a"',
        after: '"new"',
      },
    ]);
  });

  test('locates a changed element in both versions after removals before it', () => {
    expect(changes(record(section('a'), section('b')), record(section('b', 'new')))).toEqual([
      { pointer: '/section/0', before: section('a') },
      {
        pointer: '/section/0/text/div',
        from: '/section/1/text/div',
        before: '"Text of b"',
        after: '"new"',
      },
    ]);
  });
});

describe('primitives with ids and extensions', () => {
  test('reports no change for the placeholder of a removed value', () => {
    expect(changes('{"g":["a","b"],"_g":[null,{"id":"1"}]}', '{"g":["b"],"_g":[{"id":"1"}]}')).toEqual([
      { pointer: '/g/0', before: '"a"' },
    ]);
  });

  test('reports a change of placeholders only', () => {
    expect(changes('{"g":["a"],"_g":[null]}', '{"g":["a"],"_g":[]}')).toEqual([
      { pointer: '/_g/0', before: 'null' },
    ]);
  });
});

const cases = fc.tuple(arbitraryObject, arbitraryEdits).map(([before, list]) => ({
  before: parse(JSON.stringify(before)),
  after: parse(JSON.stringify(applyEdits(before, list, 'm'))),
}));
const runs = { numRuns: process.env.LONG_TESTS === undefined ? 2000 : 50_000 };

test('is empty for equal values only', () => {
  fc.assert(
    fc.property(cases, ({ before, after }) => {
      expect(listChanges(before, after).length === 0).toBe(equal(before, after));
      expect(diffByPosition(before, after).length === 0).toBe(equal(before, after));
    }),
    runs,
  );
});

test('locates elements correctly in both versions', () => {
  fc.assert(
    fc.property(cases, ({ before, after }) => {
      for (const change of listChanges(before, after)) {
        const old = change.before === undefined ? undefined : (change.from ?? change.pointer);
        const now = change.after === undefined ? undefined : change.pointer;
        const textAt = (root: typeof before, pointer: string) => {
          const node = locate(root, parsePointer(pointer) ?? []);
          return node && serializeNode(node);
        };
        if (old !== undefined) expect(textAt(before, old)).toBe(change.before);
        if (now !== undefined) expect(textAt(after, now)).toBe(change.after);
        expect(old ?? now).toBeDefined();
      }
    }),
    runs,
  );
});
