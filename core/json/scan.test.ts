import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equal, formatNode, serializeNode } from './node.ts';
import { JsonSyntaxError } from './json-problem.ts';
import { scan } from './scan.ts';

const suite = resolve(import.meta.dirname, '../../../shared/suites/json-test-suite');

describe('scan', () => {
  test('prints the original digits, escapes and order', () => {
    const text =
      '{"b":1.00,"a":[1e5,-0.0,12345678901234567890],"\\u0063":"\\u00e9\\/é","d":{},"e":[],"f":null,"g":true}';
    expect(serializeNode(scan(text).root)).toBe(text);
    expect(serializeNode(scan(formatNode(scan(text).root)).root)).toBe(text);
  });

  test('agrees with JSON.parse on every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { root, problems } = scan(text);
        const otherFaults = problems.filter(
          ({ kind }) => kind !== 'forbidden-key' && kind !== 'lone-surrogate',
        );
        expect(otherFaults).toEqual([]);
        expect(JSON.parse(serializeNode(root))).toEqual(JSON.parse(text));
        expect(equal(root, scan(formatNode(root)).root)).toBe(true);
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  test('agrees with JSON.parse on the validity of damaged text', () => {
    const damagedTexts = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', '0', '\\', ':', ' ', '\n', '\u0000', '-'),
      )
      .map(([value, randomIndex, insertedText]) => {
        const text = JSON.stringify(value);
        const place = randomIndex % (text.length + 1);
        return text.slice(0, place) + insertedText + text.slice(place + 1);
      });
    fc.assert(
      fc.property(damagedTexts, (text) => {
        expect(reads(text)).toBe(parses(text));
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });

  test('reports and locates every problem that JSON.parse ignores', () => {
    const text = '{"a":{"x":1,"x":2},"b":[{"__proto__":1}],"c":"\\udc00"}';
    expect(scan(text).problems.map(({ kind, path }) => [kind, path])).toEqual([
      ['duplicate-key', ['a']],
      ['forbidden-key', ['b', '0']],
      ['lone-surrogate', []],
    ]);
  });

  test('accepts a name of 128 characters and reports one of 129 at its object', () => {
    const faultsOf = (length: number) => scan(`{"a":{"${'x'.repeat(length)}":1}}`).problems;
    expect(faultsOf(128)).toEqual([]);
    expect(faultsOf(129).map(({ kind, path }) => [kind, path])).toEqual([['long-key', ['a']]]);
  });

  test('records the first 100 problems', () => {
    expect(scan(`{${Array(5000).fill('"a":1').join(',')}}`).problems).toHaveLength(100);
  });

  test('detects a duplicate among many keys', () => {
    const keys = Array.from({ length: 40 }, (_, index) => `"k${index}":0`);
    expect(scan(`{${[...keys, '"k3":1'].join(',')}}`).problems).toHaveLength(1);
    expect(scan(`{${keys.join(',')}}`).problems).toEqual([]);
  });

  test('stops at the depth limit before any recursion', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(serializeNode(scan(nested(64)).root)).toBe(nested(64));
    expect(() => scan(nested(65))).toThrow('deeper than 64');
    expect(() => scan('['.repeat(1_000_000))).toThrow(JsonSyntaxError);
  });
});

test.each([
  ['[1 2]', ', or ] expected.', 3],
  ['{"a":1 "b":2}', ', or } expected.', 7],
  ['{a:1}', 'Property name in double quotes expected.', 1],
  ['{"a" 1}', ': expected.', 5],
  ['[1,]', 'Trailing comma before a closing bracket.', 3],
  ['[tru]', 'JSON value expected.', 1],
  ['{"a":', 'The JSON ends too early.', 5],
  ['1 2', 'Unexpected text after the end of the JSON.', 2],
])('reports and locates the problem of %s', (text, message, start) => {
  const fault = expect.objectContaining({ text: message, start }) as unknown;
  expect(() => scan(text)).toThrow(expect.objectContaining({ fault }) as Error);
});

describe.skipIf(!existsSync(suite))('JSONTestSuite (not run where the suite is absent)', () => {
  test.each(globSync(`${suite}/*.json`).map((file) => [basename(file), file]))('%s', (name, file) => {
    const text = decode(readFileSync(file));
    const accepted = text !== undefined && reads(text, Number.POSITIVE_INFINITY);
    if (name.startsWith('y_')) expect(accepted).toBe(true);
    if (name.startsWith('n_')) expect(accepted).toBe(false);
    if (name.startsWith('i_') && text !== undefined) expect(accepted).toBe(parses(text));
  });
});

function reads(text: string, depth?: number): boolean {
  try {
    scan(text, depth);
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
