import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { equal } from './equal.ts';
import { JsonSyntaxError } from './fault.ts';
import { format, print } from './print.ts';
import { scan } from './scan.ts';

const suite = resolve(import.meta.dirname, '../../../shared/suites/json-test-suite');

describe('scan', () => {
  test('prints back what it read, digits, escapes and order included', () => {
    const text =
      '{"b":1.00,"a":[1e5,-0.0,12345678901234567890],"\\u0063":"\\u00e9\\/é","d":{},"e":[],"f":null,"g":true}';
    expect(print(scan(text).root)).toBe(text);
    expect(print(scan(format(scan(text).root)).root)).toBe(text);
  });

  test('agrees with JSON.parse on every JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { root, faults } = scan(text);
        const found = faults.filter(({ kind }) => kind !== 'forbidden-key' && kind !== 'lone-surrogate');
        expect(found).toEqual([]);
        expect(JSON.parse(print(root))).toEqual(JSON.parse(text));
        expect(equal(root, scan(format(root)).root)).toBe(true);
      }),
      { seed: 20261121, numRuns: 500 },
    );
  });

  test('agrees with JSON.parse on whether a damaged text is JSON', () => {
    const damaged = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '{', '0', '\\', ':', ' ', '\n', '\u0000', '-'),
      )
      .map(([value, at, put]) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(place + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(reads(text)).toBe(parses(text));
      }),
      { seed: 20261121, numRuns: 2000 },
    );
  });

  test('finds every fault that JSON.parse is silent about, with its place', () => {
    const text = '{"a":{"x":1,"x":2},"b":[{"__proto__":1}],"c":"\\udc00"}';
    expect(scan(text).faults.map(({ kind, path }) => [kind, path])).toEqual([
      ['duplicate-key', ['a']],
      ['forbidden-key', ['b', '0']],
      ['lone-surrogate', []],
    ]);
  });

  test('a name of 128 characters is read, one of 129 is a fault at its object', () => {
    const faultsOf = (length: number) => scan(`{"a":{"${'x'.repeat(length)}":1}}`).faults;
    expect(faultsOf(128)).toEqual([]);
    expect(faultsOf(129).map(({ kind, path }) => [kind, path])).toEqual([['long-key', ['a']]]);
  });

  test('of many faults the first 100 are noted', () => {
    expect(scan(`{${Array(5000).fill('"a":1').join(',')}}`).faults).toHaveLength(100);
  });

  test('finds a duplicate among many keys', () => {
    const keys = Array.from({ length: 40 }, (_, index) => `"k${index}":0`);
    expect(scan(`{${[...keys, '"k3":1'].join(',')}}`).faults).toHaveLength(1);
    expect(scan(`{${keys.join(',')}}`).faults).toEqual([]);
  });

  test('stops at the depth limit before anything recursive', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(print(scan(nested(64)).root)).toBe(nested(64));
    expect(() => scan(nested(65))).toThrow('deeper than 64');
    expect(() => scan('['.repeat(1_000_000))).toThrow(JsonSyntaxError);
  });
});

test.each([
  ['[1 2]', 'A comma or ] is expected', 3],
  ['{"a":1 "b":2}', 'A comma or } is expected', 7],
  ['{a:1}', 'A property name in double quotes is expected', 1],
  ['{"a" 1}', 'A colon is expected', 5],
  ['[1,]', 'A comma stands before a closing bracket', 3],
  ['[tru]', 'A JSON value is expected', 1],
  ['{"a":', 'The JSON text ends too early', 5],
  ['1 2', 'Text follows the end of the JSON value', 2],
])('what is wrong with %s is said, and where', (text, message, start) => {
  const fault = expect.objectContaining({ message, start }) as unknown;
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
