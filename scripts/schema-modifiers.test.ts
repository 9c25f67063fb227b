import { expect, test } from 'vitest';
import { everyModifier } from '../core/fhir/modifiers/testing/every-modifier.ts';
import { modifierElements } from '../core/fhir/modifiers/generated/modifier-table.js';
import { modifierWords } from '../core/fhir/modifiers/words.ts';
import { modifierPaths, withoutRow } from './schema-modifiers.ts';
import { readSources } from './schema-sources.ts';

const sources = readSources();

/** Every element that R4 flags, and each named status, verificationStatus or emptyReason. */
function flaggedIn(type: string): string[] {
  return (sources.elements.get(type) ?? [])
    .filter(
      ({ path, isModifier }) =>
        isModifier === true || /\.emptyReason$|^\w+\.(?:verificationS|s)tatus$/.test(path),
    )
    .map(({ path }) => path)
    .filter((path) => !/\.(?:implicitRules|modifierExtension)$/.test(path));
}

test.each(sources.resourceNames)('has a row and a sample for each modifier of %s', (type) => {
  const listed = new Set(everyModifier.filter(([of]) => of === type).map(([, path]) => path));
  expect(modifierElements[type]).toEqual(modifierPaths(type, sources));
  expect(new Set(modifierElements[type])).toEqual(listed);
  for (const path of flaggedIn(type)) {
    const below = path.slice(type.length + 1).replace('[x]', '');
    const found = [...listed].some((one) => one === below || one.startsWith(below));
    expect(found || Object.hasOwn(withoutRow, path), path).toBe(true);
  }
});

test('has a sample for each value with words of its own', () => {
  const without = modifierWords.filter(
    ({ element, value }) =>
      !everyModifier.some(
        ([, path, of]) => of === value && (element === undefined || path.split('.').at(-1) === element),
      ),
  );
  expect(without).toEqual([]);
});
