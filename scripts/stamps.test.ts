import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { computeFingerprints } from './stamps.ts';

const root = resolve(import.meta.dirname, '..');
const fingerprintsBefore = computeFingerprints(root);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-stamps-'));
  cpSync(join(root, 'core'), join(folder, 'core'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the fingerprints that change with an edit of a source. */
function listChanged(file: string, pattern: string | RegExp, replacement: string): string[] {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const changedText = text.replace(pattern, replacement);
  expect(changedText).not.toBe(text);
  writeFileSync(path, changedText);
  const flatten = ({ index, ...scalars }: typeof fingerprintsBefore): Record<string, string> => ({
    ...index,
    ...scalars,
  });
  const [before, after] = [flatten(fingerprintsBefore), flatten(computeFingerprints(folder))];
  return Object.keys(before).filter((name) => before[name] !== after[name]);
}

test('changes one type for the reader of one kind of value', () => {
  expect(listChanged('core/fhir/reference.ts', "text.startsWith('#')", "text.startsWith('##')")).toEqual([
    'reference',
    'any',
    'texts',
    'profiles',
  ]);
});

test('changes dates and the order for a change of date parsing', () => {
  expect(listChanged('core/fhir/search-date.ts', 'day = 24', 'day = 23')).toEqual(['date', 'any', 'sort']);
});

test('changes strings, tokens with a text and the order for a change of text comparison', () => {
  expect(listChanged('core/fhir/search-values.ts', "normalize('NFKD')", "normalize('NFD')")).toEqual([
    'string',
    'token',
    'uri',
    'any',
    'sort',
    'texts',
  ]);
});

test('changes all fingerprints for a change that all rows depend on', () => {
  expect(listChanged('core/json/scan.ts', 'maxDepth = 64', 'maxDepth = 65')).toEqual([
    'reference',
    'date',
    'string',
    'token',
    'uri',
    'any',
    'sort',
    'texts',
    'profiles',
    'rules',
  ]);
});

test.each([
  ['core/types/care-plan.ts', 'overdueDays = 180', 'overdueDays = 181'],
  ['core/types/definition/dates.ts', 'month === 11', 'month === 12'],
  ['core/fhir/validation/kinds.ts', "'implicitRules', ", ''],
  ['core/fhir/validation/invariants.ts', 'items.length > 0', 'items.length > 1'],
  ['core/fhir/validation/generated/element-table.js', /^export/m, ';export'],
  ['core/fhir/validation/generated/further-types.js', /^export/m, ';export'],
  ['core/fhir/validation/generated/ucum-table.js', /^export/m, ';export'],
])('changes only the rules for %s', (file, from, to) => {
  expect(listChanged(file, from, to)).toEqual(['rules']);
});

test.each([
  ['a comment', 'core/fhir/reference.ts', 'const history', '// Why.\n/* What. */ const   history'],
  ['a type', 'core/fhir/reference.ts', 'literal: string', 'literal: `${string}`'],
  ['a sentence of a rule', 'core/types/composition.ts', 'has no attester.', 'lacks an attester.'],
  ['a text that no row depends on', 'core/fhir/search-messages.ts', 'has no value', 'is empty'],
  ['a parameter’s number', 'core/types/care-plan.ts', 'intent: 7', 'intent: 70'],
  [
    'a detail of the inspector',
    'core/types/care-plan.ts',
    "id: 'careTeam', path: 'careTeam', format: 'references'",
    "id: 'team', path: 'careTeam', format: 'references'",
  ],
  ['the display of a modifier', 'core/fhir/search-parameters.ts', 'types.length > 12', 'types.length > 13'],
])('ignores %s', (_case, file, from, to) => {
  expect(listChanged(file, from, to)).toEqual([]);
});
