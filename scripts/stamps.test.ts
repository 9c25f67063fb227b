import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampsOf } from './stamps.ts';

const root = resolve(import.meta.dirname, '..');
const before = stampsOf(root);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-stamps-'));
  cpSync(join(root, 'core'), join(folder, 'core'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The stamps that differ once a source was changed. */
function changedBy(file: string, from: string | RegExp, to: string): string[] {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
  const flat = ({ index, ...rest }: typeof before): Record<string, string> => ({ ...index, ...rest });
  const [was, is] = [flat(before), flat(stampsOf(folder))];
  return Object.keys(was).filter((name) => was[name] !== is[name]);
}

test('the reader of one kind of value counts for that kind alone', () => {
  expect(changedBy('core/fhir/reference.ts', "text.startsWith('#')", "text.startsWith('##')")).toEqual([
    ...['reference', 'any', 'texts', 'profiles'],
  ]);
});

test('how dates are read counts for dates and for the order', () => {
  expect(changedBy('core/fhir/search-date.ts', 'day = 24', 'day = 23')).toEqual(['date', 'any', 'sort']);
});

test('how texts are compared counts for strings, tokens with a text, and the order', () => {
  expect(changedBy('core/fhir/search-values.ts', "normalize('NFKD')", "normalize('NFD')")).toEqual([
    ...['string', 'token', 'uri', 'any', 'sort', 'texts'],
  ]);
});

test('what all rows pass through counts for all of them', () => {
  expect(changedBy('core/json/scan.ts', 'maxDepth = 64', 'maxDepth = 65')).toEqual([
    ...['reference', 'date', 'string', 'token', 'uri', 'any', 'sort', 'texts', 'profiles', 'rules'],
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
])('a change of %s counts for the rules alone', (file, from, to) => {
  expect(changedBy(file, from, to)).toEqual(['rules']);
});

test.each([
  ['a comment', 'core/fhir/reference.ts', 'const history', '// Why.\n/* What. */ const   history'],
  ['a type', 'core/fhir/reference.ts', 'literal: string', 'literal: `${string}`'],
  ['a sentence of a rule', 'core/types/composition.ts', 'add an attester.', 'name one.'],
  ['what no row is made of', 'core/fhir/search-values.ts', 'has no value', 'is empty'],
  ['a parameter’s number', 'core/types/care-plan.ts', 'intent: 7', 'intent: 70'],
  ['what the inspector tells', 'core/types/care-plan.ts', "label: 'Care team'", "label: 'Team'"],
  ['how a modifier is shown', 'core/fhir/search-parameters.ts', 'types.length > 12', 'types.length > 13'],
])('%s counts for nothing', (_what, file, from, to) => {
  expect(changedBy(file, from, to)).toEqual([]);
});
