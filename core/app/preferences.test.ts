import { expect, test } from 'vitest';
import { is } from '../json/shape.ts';
import { defaultPreferences, PreferenceChange, readPreferences } from './preferences.ts';

test('what was kept is read value by value; what is missing or unknown is the default', () => {
  const kept = { theme: 'dark', density: 'huge', gone: 1 };
  expect(readPreferences(kept)).toEqual({ ...defaultPreferences, theme: 'dark' });
  for (const nothing of [undefined, null, [], 'dark']) {
    expect(readPreferences(nothing)).toEqual(defaultPreferences);
  }
});

test.each([[{}], [{ theme: 'light' }], [{ density: 'comfortable', sidePanel: false }]])(
  '%j is a change',
  (value) => expect(is(PreferenceChange, value)).toBe(true),
);

test.each([
  [{ theme: 'pink' }],
  [{ colour: 'red' }],
  [{ theme: 'dark', sidePanel: 1 }],
  [[]],
  [null],
  ['dark'],
])('%j is none', (value) => expect(is(PreferenceChange, value)).toBe(false));
