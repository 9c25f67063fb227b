import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { conceptText } from '../card/parts.ts';
import { nameOf } from '../names.ts';

const loinc = 'http://loinc.org';

test.each([
  ['of a section', { system: loinc, code: '48765-2' }, 'Allergies and adverse reactions Document'],
  ['of a document', { system: loinc, code: '18842-5' }, 'Discharge summary'],
  ['that the record states', { system: loinc, code: '48765-2', display: 'Allergien' }, 'Allergien'],
  ['of no other system', { system: 'http://loinc.example', code: '48765-2' }, '48765-2'],
  ['of no other code', { system: loinc, code: 'constructor' }, 'constructor'],
])('shows the display %s', (_, coding, name) => {
  const { root } = scan(JSON.stringify({ coding: [coding] }));
  expect(conceptText({ node: root, pointer: '' })).toBe(name);
  expect(nameOf(root)).toBe(name === coding.code ? '' : name);
});

test('prefers the text of the record and any display that it states', () => {
  const codings = [
    { system: loinc, code: '48765-2' },
    { system: 'http://ward.example', display: 'Ward word' },
  ];
  const textOf = (concept: object) => conceptText({ node: scan(JSON.stringify(concept)).root, pointer: '' });
  expect(textOf({ coding: codings })).toBe('Ward word');
  expect(textOf({ coding: codings, text: 'Own text' })).toBe('Own text');
});
