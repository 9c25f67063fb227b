import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { isSameVersion } from './same-version.ts';

const createVersion = (text: string, members: { version?: number; etag?: string } = {}) => ({
  root: scan(text).root,
  ...members,
});

test('compares ETags, weak or strong', () => {
  expect(isSameVersion(createVersion('1', { etag: 'W/"a"' }), createVersion('2', { etag: '"a"' }))).toBe(
    true,
  );
  expect(
    isSameVersion(
      createVersion('1', { etag: '"a"', version: 1 }),
      createVersion('1', { etag: '"b"', version: 1 }),
    ),
  ).toBe(false);
});

test('compares numbers without ETags, otherwise values digit by digit', () => {
  expect(isSameVersion(createVersion('1', { version: 1 }), createVersion('2', { version: 1 }))).toBe(true);
  expect(
    isSameVersion(createVersion('1', { version: 1, etag: '"a"' }), createVersion('1', { version: 2 })),
  ).toBe(false);
  expect(isSameVersion(createVersion('{"n":1.0}'), createVersion('{"n":1.0}', { etag: '"a"' }))).toBe(true);
  expect(isSameVersion(createVersion('{"n":1.0}'), createVersion('{"n":1.00}'))).toBe(false);
});
