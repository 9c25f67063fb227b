import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { isSameVersion } from './same-version.ts';

const held = (text: string, more: { version?: number; etag?: string } = {}) => ({
  root: scan(text).root,
  ...more,
});

test('the ETag decides, weak or strong', () => {
  expect(isSameVersion(held('1', { etag: 'W/"a"' }), held('2', { etag: '"a"' }))).toBe(true);
  expect(isSameVersion(held('1', { etag: '"a"', version: 1 }), held('1', { etag: '"b"', version: 1 }))).toBe(
    false,
  );
});

test('else the number, else the value to its last digit', () => {
  expect(isSameVersion(held('1', { version: 1 }), held('2', { version: 1 }))).toBe(true);
  expect(isSameVersion(held('1', { version: 1, etag: '"a"' }), held('1', { version: 2 }))).toBe(false);
  expect(isSameVersion(held('{"n":1.0}'), held('{"n":1.0}', { etag: '"a"' }))).toBe(true);
  expect(isSameVersion(held('{"n":1.0}'), held('{"n":1.00}'))).toBe(false);
});
