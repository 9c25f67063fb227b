import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readNatively } from './native.ts';
import { formatNode, serializeNode } from './node.ts';
import { maxDepth, scan } from './scan.ts';

const data = resolve(import.meta.dirname, '../../../shared/data');

describe('readNatively', () => {
  test('formats as format does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        const native = readNatively(text);
        // JSON.stringify drops the sign of a negative zero.
        if (native === undefined) expect(text).not.toBe(JSON.stringify(JSON.parse(text)));
        else expect(native.formatted).toBe(formatNode(scan(text).root));
      }),
      { seed: 20261122, numRuns: 500 },
    );
  });

  test.each([
    ['a digit', '{"a":1.00}'],
    ['an exponent', '{"a":1e2}'],
    ['a large number', '{"a":12345678901234567890}'],
    ['a number beyond all', '{"a":1e400}'],
    ['a negative zero', '{"a":-0}'],
    ['an escape', '{"a":"\\u00e9"}'],
    ['a slash', '{"a":"\\/"}'],
    ['a name that stands twice', '{"a":1,"a":2}'],
    ['the order of names', '{"b":1,"2":1,"1":1}'],
    ['white space', '{"a": 1}'],
    ['half of a surrogate pair', '{"a":"\ud800"}'],
    ['no JSON', '{"a":1'],
  ])('returns undefined if parsing would lose %s', (_, text) => {
    expect(readNatively(text)).toBeUndefined();
  });

  test('returns undefined if the nesting is too deep', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect(() => scan(nested(maxDepth + 1))).toThrow();
    expect(readNatively(nested(maxDepth + 1))).toBeUndefined();
    expect(readNatively(`${'['.repeat(maxDepth + 1)}${']'.repeat(maxDepth + 1)}`)).toBeUndefined();
    expect(readNatively(nested(maxDepth - 1))?.formatted).toBe(formatNode(scan(nested(maxDepth - 1)).root));
  });

  test.skipIf(!existsSync(data))('formats all real records as format does', () => {
    const texts = globSync(`${data}/{CarePlan,Composition}/*.json`).map((path) => readFileSync(path, 'utf8'));
    const compact = texts.map((text) => serializeNode(scan(text).root));
    const native = compact.map(readNatively);
    expect(native.filter((result) => result !== undefined).length).toBeGreaterThan(100);
    for (const [index, text] of compact.entries()) {
      if (native[index]) expect(native[index].formatted).toBe(formatNode(scan(text).root));
    }
  });
});
