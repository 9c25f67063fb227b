import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { equal, serializeNode, type JsonObject } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { FhirError } from './outcome.ts';
import { applyPatch } from './patch.ts';

function object(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError('an object is expected');
  return root;
}

function patched(record: string, operations: string): string {
  const copy = object(record);
  applyPatch(copy, 'CarePlan', scan(operations).root);
  return serializeNode(copy);
}

describe('applyPatch', () => {
  test('replaces in place and preserves order, digits and escapes', () => {
    expect(
      patched('{"a":1.00,"b":{"c":[1,2]},"d":"\\u00e9"}', '[{"op":"replace","path":"/b/c/1","value":2.0}]'),
    ).toBe('{"a":1.00,"b":{"c":[1,2.0]},"d":"\\u00e9"}');
  });

  test('applies later operations to earlier results and leaves the patch unchanged', () => {
    const operations =
      '[{"op":"replace","path":"/a","value":{"x":1}},{"op":"replace","path":"/a/x","value":2}]';
    const patch = scan(operations).root;
    const record = object('{"a":0}');
    applyPatch(record, 'CarePlan', patch);
    expect(serializeNode(record)).toBe('{"a":{"x":2}}');
    expect(serializeNode(patch)).toBe(operations);
  });

  test('unescapes ~1 and ~0 once and never decodes percent signs', () => {
    expect(
      patched(
        '{"a/b":1,"m~n":2,"%41":3}',
        '[{"op":"replace","path":"/a~1b","value":9},{"op":"replace","path":"/m~0n","value":8},{"op":"replace","path":"/%41","value":7}]',
      ),
    ).toBe('{"a/b":9,"m~n":8,"%41":7}');
  });

  test('accepts 500 operations and rejects 501', () => {
    const operations = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, value) => ({ op: 'replace', path: '/a', value })));
    expect(patched('{"a":0}', operations(500))).toBe('{"a":499}');
    expect(() => patched('{"a":0}', operations(501))).toThrow(FhirError);
  });
});

const suites = resolve(import.meta.dirname, '../../../shared/suites');

interface Case {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: readonly { readonly op: string; readonly path?: string }[];
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

function replaceCases(): [name: string, one: Case][] {
  return ['jp-tests.json', 'jp-spec.json'].flatMap((file) =>
    (JSON.parse(readFileSync(resolve(suites, file), 'utf8')) as Case[])
      .filter(
        ({ patch, disabled }) =>
          disabled !== true && patch.length > 0 && patch.every(({ op }) => op === 'replace'),
      )
      .filter(({ doc }) => typeof doc === 'object' && doc !== null && !Array.isArray(doc))
      .map((testCase, index): [string, Case] => [`${file} ${testCase.comment ?? String(index)}`, testCase]),
  );
}

describe.skipIf(!existsSync(suites))('replace-only cases of json-patch-tests (not run where absent)', () => {
  const cases = existsSync(suites) ? replaceCases() : [];

  test('contains cases', () => {
    expect(cases.length).toBeGreaterThan(5);
  });

  test.each(cases)('%s', (_, { doc, patch, expected, error }) => {
    const record = object(JSON.stringify(doc));
    const apply = () => applyPatch(record, 'CarePlan', scan(JSON.stringify(patch)).root);
    // The service rejects replacing the whole document (row 44 of docs/api-rows.md).
    if (error !== undefined || patch.some(({ path }) => path === '')) {
      expect(apply).toThrow(FhirError);
    } else {
      apply();
      expect(equal(record, scan(JSON.stringify(expected)).root)).toBe(true);
    }
  });
});

test('limits the depth of values nested by several operations', () => {
  const nest = (levels: number) => `${'{"x":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const operations = (outerLevels: number, innerLevels: number) =>
    `[{"op":"replace","path":"/a","value":${nest(outerLevels)}},{"op":"replace","path":"/a${'/x'.repeat(outerLevels)}","value":${nest(innerLevels)}}]`;
  expect(patched('{"a":0}', operations(30, 33))).toContain('1');
  expect(() => patched('{"a":0}', operations(30, 34))).toThrow('deeper than 64');
});

test.each([
  ['{"op":"replace"}', 'The patch must be a JSON array of replace operations.'],
  ['[1]', 'Operation 1: must be an object.'],
  ['[{"path":"/a","value":1}]', 'Operation 1: op is missing.'],
  ['[{"op":"add","path":"/a","value":1}]', 'Operation 1: only replace is supported.'],
  ['[{"op":"put","path":"/a","value":1}]', 'Operation 1: op must be replace.'],
  ['[{"op":"replace","value":1}]', 'Operation 1: path is missing.'],
  ['[{"op":"replace","path":"/a"}]', 'Operation 1: value is missing.'],
])('rejects the patch %s with a reason', (operations, text) => {
  expect(() => patched('{"a":0}', operations)).toThrow(text);
});

const problemOf = (operations: string) => {
  try {
    patched('{"id":"1","a":[{"b":1}],"period":{}}', operations);
  } catch (error) {
    if (error instanceof FhirError) {
      const { messageCode, parameters, ...problem } = error.problems[0] ?? { text: '' };
      expect([messageCode, parameters]).toEqual([
        expect.stringMatching(/^patch\.\w+$/),
        { n: expect.any(Number) },
      ]);
      return { kind: error.kind, ...problem };
    }
    throw error;
  }
  return undefined;
};

test.each([
  ['/x', 'unprocessable', 'the element doesn’t exist', 'target missing', 'CarePlan'],
  ['/period/end', 'unprocessable', 'the element doesn’t exist', 'target missing', 'CarePlan.period'],
  ['/a/1', 'unprocessable', 'the element doesn’t exist', 'array index out of range', 'CarePlan.a'],
  ['/a/-', 'unprocessable', 'the element doesn’t exist', 'array index out of range', 'CarePlan.a'],
  ['/a/0/c', 'unprocessable', 'the element doesn’t exist', 'target missing', 'CarePlan.a[0]'],
  [
    '/a/00',
    'value',
    'use 0 or digits without a leading zero for array items',
    'array index malformed',
    undefined,
  ],
  [
    '/a/+1',
    'value',
    'use 0 or digits without a leading zero for array items',
    'array index malformed',
    undefined,
  ],
  ['/id', 'business-rule', 'the server sets this element', 'server-owned', 'CarePlan.id'],
  ['/__proto__', 'value', 'path contains a name that isn’t allowed', 'forbidden name', undefined],
  ['', 'not-offered', 'the whole record can’t be replaced; use PUT', 'path empty', undefined],
  ['a', 'value', 'path must be a JSON Pointer such as /status', 'path malformed', undefined],
])('rejects replacing %j with reason and element', (path, kind, text, detail, expression) => {
  const operation = JSON.stringify([{ op: 'replace', path, value: 1 }]);
  expect(problemOf(operation)).toEqual({
    kind,
    text: `Operation 1: ${text}.`,
    diagnostics: `op[0]: ${detail}`,
    ...(expression !== undefined && { expression }),
  });
});

test('counts operations from 1 in messages', () => {
  const fine = { op: 'replace', path: '/period', value: {} };
  expect(problemOf(JSON.stringify([fine, { ...fine, op: 'move' }]))).toMatchObject({
    text: 'Operation 2: only replace is supported.',
    diagnostics: 'op[1]: op not offered',
  });
});

test('sets the language of a record without one', () => {
  const operation = '[{"op":"replace","path":"/language","value":"de"}]';
  expect(patched('{"a":1}', operation)).toBe('{"a":1,"language":"de"}');
  expect(() => patched('{"a":{}}', operation.replace('/language', '/a/language'))).toThrow(FhirError);
});
