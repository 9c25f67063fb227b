import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equal, serializeNode, type JsonObject } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { applyEdits, arbitraryEdits, arbitraryObject } from '../json/testing/edits.ts';
import { applyPatch } from './patch.ts';
import { patchFromEdit } from './patch-from-edit.ts';

function object(text: string): JsonObject {
  const { root } = scan(text);
  if (root.kind !== 'object') throw new Error('not an object');
  return root;
}

function applyTo(base: JsonObject, body: string): JsonObject {
  const record = object(serializeNode(base));
  applyPatch(record, 'CarePlan', scan(body).root);
  return record;
}

const patchOf = (base: string, after: string) => patchFromEdit(object(base), object(after));

test('creates one operation with exact digits for each changed scalar', () => {
  const patch = patchOf('{"status":"draft","a":[{"n":1.0}]}', '{"status":"active","a":[{"n":1.00}]}');
  expect(patch).toEqual({
    pointers: ['/status', '/a/0/n'],
    body: '[{"op":"replace","path":"/status","value":"active"},{"op":"replace","path":"/a/0/n","value":1.00}]',
  });
});

test('replaces the parent of an element that was added or removed', () => {
  expect(patchOf('{"p":{"start":"1"},"l":[1]}', '{"p":{"start":"2","end":"3"},"l":[1,2]}')).toEqual({
    pointers: ['/p', '/l'],
    body: '[{"op":"replace","path":"/p","value":{"start":"2","end":"3"}},{"op":"replace","path":"/l","value":[1,2]}]',
  });
});

test.each([
  ['{"a":1}', '{"a":1,"b":2}', 'added', '/b'],
  ['{"a":1,"b":2}', '{"a":1}', 'removed', '/b'],
  ['{"id":"1"}', '{"id":"2"}', 'identity', '/id'],
  ['{"resourceType":"CarePlan"}', '{"resourceType":"Composition"}', 'identity', '/resourceType'],
])('rejects the change of %s to %s: %s', (base, after, reason, pointer) => {
  expect(patchOf(base, after)).toEqual({ reason, pointers: [pointer] });
});

test('adds a missing language', () => {
  expect(patchOf('{"a":1}', '{"a":1,"language":"en"}')).toMatchObject({ pointers: ['/language'] });
});

test('ignores changes of server metadata', () => {
  const base = '{"meta":{"versionId":"1","lastUpdated":"x"},"a":1}';
  expect(patchOf(base, '{"meta":{"versionId":"9"},"a":1}')).toEqual({ reason: 'nothing', pointers: [] });
  expect(patchOf(base, '{"a":1,"meta":{"lastUpdated":"y","versionId":"1"}}')).toMatchObject({
    reason: 'nothing',
  });
});

test('rejects more operations than a patch can have', () => {
  const record = (value: number) => JSON.stringify({ l: Array.from({ length: 501 }, () => value) });
  expect(patchOf(record(1), record(2))).toEqual({ reason: 'too-many', pointers: [] });
});

test('escapes / and ~ of names in paths', () => {
  expect(patchOf('{"x":{"a/b":1,"m~n":2}}', '{"x":{"a/b":3,"m~n":4}}')).toMatchObject({
    pointers: ['/x/a~1b', '/x/m~0n'],
  });
});

test('returns a patch that produces the edited record', () => {
  let patched = 0;
  fc.assert(
    fc.property(arbitraryObject, arbitraryEdits, (value, list) => {
      const base = object(JSON.stringify(value));
      const after = object(JSON.stringify(applyEdits(value, list, 'm')));
      const patch = patchFromEdit(base, after);
      if ('reason' in patch) return;
      patched += 1;
      const result = applyTo(base, patch.body);
      expect(equal(result, after), serializeNode(result)).toBe(true);
    }),
    { numRuns: 2000 },
  );
  expect(patched).toBeGreaterThan(200);
});
