import { expect, test } from 'vitest';
import { matchesSchema } from '../json/shape.ts';
import { defaultPreferences, PreferenceChange, readPreferences } from './preferences.ts';

test('reads stored values one by one and replaces unknown ones by defaults', () => {
  const storedPreferences = { theme: 'dark', density: 'huge', gone: 1 };
  expect(readPreferences(storedPreferences)).toEqual({ ...defaultPreferences, theme: 'dark' });
  for (const invalidValue of [undefined, null, [], 'dark']) {
    expect(readPreferences(invalidValue)).toEqual(defaultPreferences);
  }
});

test.each([[{}], [{ theme: 'light' }], [{ density: 'comfortable', sidePanel: false }]])(
  'accepts the change %j',
  (value) => expect(matchesSchema(PreferenceChange, value)).toBe(true),
);

test.each([
  [{ theme: 'pink' }],
  [{ colour: 'red' }],
  [{ theme: 'dark', sidePanel: 1 }],
  [[]],
  [null],
  ['dark'],
])('rejects the change %j', (value) => expect(matchesSchema(PreferenceChange, value)).toBe(false));
