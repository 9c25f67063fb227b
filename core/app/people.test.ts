import { expect, test } from 'vitest';
import { initialsOf } from './people.ts';

test.each([
  ['Robin Steward', 'RS'],
  ['ada', 'A'],
  ['Anna Maria von Berg-Öhl', 'AÖ'],
  ['Ada (night shift)', 'AS'],
  ['𝒜da', '𝒜'],
  ['?', '?'],
  ['', ''],
])('derives initials of %j: %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
