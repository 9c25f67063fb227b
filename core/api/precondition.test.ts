import { expect, test } from 'vitest';
import { FhirError } from '../fhir/outcome.ts';
import {
  etagOf,
  ifMatchOf,
  isSameTag,
  namesVersion,
  parseIfMatch,
  versionIdOf,
  versionOf,
  withoutCoding,
} from './precondition.ts';

test.each([
  ['W/"3"', 3, '3'],
  [' "3" ', 3, '3'],
  ['"0"', 0, '0'],
  ['W/"3-gzip"', 3, '3-gzip'],
  ['"3--gzip"', 3, '3--gzip'],
  [' W/"3-br" ', 3, '3-br'],
  ['"3-deflate"', 3, '3-deflate'],
  ['W/"3-zstd"', 3, '3-zstd'],
  ['"3-lzma"', undefined, '3-lzma'],
  ['"3---gzip"', undefined, '3---gzip'],
  ['"3gzip"', undefined, '3gzip'],
  ['"-gzip"', undefined, '-gzip'],
  ['"03"', undefined, '03'],
  ['"1234567890123456"', undefined, '1234567890123456'],
  ['W/"a-1.b"', undefined, 'a-1.b'],
  ['"a_b"', undefined, undefined],
  [`"${'a'.repeat(65)}"`, undefined, undefined],
  ['3', undefined, undefined],
  ['w/"3"', undefined, undefined],
  ['', undefined, undefined],
])('parses the ETag %j to version %s and id %s', (etag, version, id) => {
  expect(versionOf(etag)).toBe(version);
  expect(versionIdOf(etag)).toBe(id);
});

test.each([
  [undefined, 'any'],
  [' * ', 'any'],
  [etagOf(3), [3]],
  ['"1", W/"2",,', [1, 2]],
  ['W/"1-gzip", "2--gzip", W/"3-br"', [1, 2, 3]],
])('parses the If-Match %j to %j', (header, versions) => {
  expect(parseIfMatch(header)).toEqual(versions);
});

test.each(['', ',', 'x', '"1", x', '*, "1"'])('rejects the If-Match %j', (header) => {
  expect(() => parseIfMatch(header)).toThrow(FhirError);
});

test.each([
  ['*', true],
  ['"2", W/"3"', true],
  ['"2", W/"3-gzip"', true],
  ['"3--gzip"', true],
  ['"2-gzip"', false],
  ['"2"', false],
  ['', false],
])('matches If-None-Match %j with version 3: %s', (header, isMatch) => {
  expect(namesVersion(header, 3)).toBe(isMatch);
});

test.each([
  ['W/"a-gzip"', 'gzip', 'W/"a"'],
  ['"a--gzip"', 'gzip', '"a"'],
  ['W/"a-gzip"', 'X-GZip', 'W/"a"'],
  ['W/"a-br"', 'gzip, br', 'W/"a"'],
  ['W/"a-gzip-gzip"', 'gzip', 'W/"a-gzip"'],
  // Without that content coding, the suffix is part of the server's tag.
  ['W/"a-gzip"', undefined, 'W/"a-gzip"'],
  ['W/"a-gzip"', 'br', 'W/"a-gzip"'],
  ['W/"a-gzip"', 'identity', 'W/"a-gzip"'],
  ['W/"a"', 'gzip', 'W/"a"'],
  ['W/"gzip"', 'gzip', 'W/"gzip"'],
])('strips from the ETag %j with the coding %j the suffix: %j', (etag, coding, bare) => {
  expect(withoutCoding(etag, coding)).toBe(bare);
});

test.each([
  ['"h"', '3', '"h"'],
  [undefined, '3', 'W/"3"'],
  [undefined, 'a-1.b', 'W/"a-1.b"'],
  [undefined, 'a b', undefined],
  [undefined, undefined, undefined],
])('names a version with the ETag %j and the versionId %j as %j', (etag, versionId, match) => {
  expect(ifMatchOf({ etag, versionId })).toBe(match);
});

test('treats weak and strong ETags of a version as equal', () => {
  expect(isSameTag('W/"a"', '"a"')).toBe(true);
  expect(isSameTag('W/"a"', 'W/"b"')).toBe(false);
});
