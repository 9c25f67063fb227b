import { expect, test } from 'vitest';
import { everyModifier } from '../core/fhir/modifiers/testing/every-modifier.ts';
import { modifierElements } from '../core/fhir/modifiers/generated/modifier-table.js';
import { modifierWords } from '../core/fhir/modifiers/words.ts';
import { listModifierPaths, withoutRow } from './schema-modifiers.ts';
import { readSources } from './schema-sources.ts';

const sources = readSources();

/** Lists every element that R4 flags, and each named status, verificationStatus or emptyReason. */
function listFlaggedPaths(type: string): string[] {
  return (sources.elements.get(type) ?? [])
    .filter(
      ({ path, isModifier }) =>
        isModifier === true || /\.emptyReason$|^\w+\.(?:verificationS|s)tatus$/.test(path),
    )
    .map(({ path }) => path)
    .filter((path) => !/\.(?:implicitRules|modifierExtension)$/.test(path));
}

test.each(sources.resourceNames)('has a row and a sample for each modifier of %s', (type) => {
  const sampledPaths = new Set(
    everyModifier.filter(([sampleType]) => sampleType === type).map(([, path]) => path),
  );
  expect(modifierElements[type]).toEqual(listModifierPaths(type, sources));
  expect(new Set(modifierElements[type])).toEqual(sampledPaths);
  for (const path of listFlaggedPaths(type)) {
    const childPath = path.slice(type.length + 1).replace('[x]', '');
    const isSampled = [...sampledPaths].some(
      (sampledPath) => sampledPath === childPath || sampledPath.startsWith(childPath),
    );
    expect(isSampled || Object.hasOwn(withoutRow, path), path).toBe(true);
  }
});

test('has a sample for each value with specific words', () => {
  const valuesWithoutSample = modifierWords.filter(
    ({ element, value }) =>
      !everyModifier.some(
        ([, path, sampleValue]) =>
          sampleValue === value && (element === undefined || path.split('.').at(-1) === element),
      ),
  );
  expect(valuesWithoutSample).toEqual([]);
});
