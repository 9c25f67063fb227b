import { div } from './base-records.ts';
import type { MarkupError } from './planted-faults.ts';

/** Planted defects of documents. */
export const compositionFaults: readonly MarkupError[] = [
  ['schema-required', 'Composition', (record) => delete record.title],
  ['schema-required', 'Composition', (record) => delete record.author],
  ['schema-required', 'Composition', (record) => delete record.date],
  ['schema-required', 'Composition', (record) => delete record.type],
  ['schema-required', 'Composition.attester[0]', (record) => delete record.attester[0].mode],
  ['schema-required', 'Composition.relatesTo[0]', (record) => delete record.relatesTo[0].targetReference],
  ['schema-type', 'Composition.identifier', (record) => (record.identifier = [{ value: '1' }])],
  ['schema-code', 'Composition.status', (record) => (record.status = 'active')],
  ['schema-code', 'Composition.confidentiality', (record) => (record.confidentiality = '_Confidentiality')],
  ['schema-code', 'Composition.attester[0].mode', (record) => (record.attester[0].mode = 'me')],
  ['schema-code', 'Composition.relatesTo[0].code', (record) => (record.relatesTo[0].code = 'x')],
  ['schema-code', 'Composition.section[0].mode', (record) => (record.section[0].mode = 'x')],
  ['empty', 'Composition.author', (record) => (record.author = [])],
  [
    'choice',
    'Composition.relatesTo[0].targetIdentifier',
    (record) => (record.relatesTo[0].targetIdentifier = { value: '1' }),
  ],
  ['per-1', 'Composition.event[0].period', (record) => (record.event[0].period.end = '2025-12-31')],
  ['cmp-1', 'Composition.section[1].section[0]', (record) => delete record.section[1].section[0].text],
  [
    'cmp-2',
    'Composition.section[1].section[0]',
    (record) => (record.section[1].section[0].entry = [{ reference: 'Observation/1' }]),
  ],
  [
    'reference-target',
    'Composition.encounter.reference',
    (record) => (record.encounter = { reference: 'Patient/1' }),
  ],
  [
    'txt-1',
    'Composition.section[1].section[0].text.div',
    (record) => (record.section[1].section[0].text.div = div('<img src="x">')),
  ],
  ['final-without-attester', 'Composition', (record) => delete record.attester],
  ['final-without-section', 'Composition', (record) => delete record.section],
  ['section-without-text', 'Composition.section[0]', (record) => delete record.section[0].text],
];
