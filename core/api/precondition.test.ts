import { expect, test } from 'vitest';
import { FhirError } from '../fhir/outcome.ts';
import { etagOf, namesVersion, parseIfMatch, versionIdOf, versionOf } from './precondition.ts';

test.each([
  ['W/"3"', 3, '3'],
  [' "3" ', 3, '3'],
  ['"0"', 0, '0'],
  ['"03"', undefined, '03'],
  ['"1234567890123456"', undefined, '1234567890123456'],
  ['W/"a-1.b"', undefined, 'a-1.b'],
  ['"a_b"', undefined, undefined],
  [`"${'a'.repeat(65)}"`, undefined, undefined],
  ['3', undefined, undefined],
  ['w/"3"', undefined, undefined],
  ['', undefined, undefined],
])('the ETag %j is of the version %s, or is called %s', (etag, version, id) => {
  expect(versionOf(etag)).toBe(version);
  expect(versionIdOf(etag)).toBe(id);
});

test.each([
  [undefined, 'any'],
  [' * ', 'any'],
  [etagOf(3), [3]],
  ['"1", W/"2",,', [1, 2]],
])('the If-Match %j accepts %j', (header, versions) => {
  expect(parseIfMatch(header)).toEqual(versions);
});

test.each(['', ',', 'x', '"1", x', '*, "1"'])('the If-Match %j is refused', (header) => {
  expect(() => parseIfMatch(header)).toThrow(FhirError);
});

test.each([
  ['*', true],
  ['"2", W/"3"', true],
  ['"2"', false],
  ['', false],
])('the If-None-Match %j names version 3: %s', (header, is) => {
  expect(namesVersion(header, 3)).toBe(is);
});
