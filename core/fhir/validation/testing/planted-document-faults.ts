import { div } from './base-records.ts';
import type { Fault } from './planted-faults.ts';

/** The same for documents. */
export const compositionFaults: readonly Fault[] = [
  ['schema-required', 'Composition', (one) => delete one.title],
  ['schema-required', 'Composition', (one) => delete one.author],
  ['schema-required', 'Composition', (one) => delete one.date],
  ['schema-required', 'Composition', (one) => delete one.type],
  ['schema-required', 'Composition.attester[0]', (one) => delete one.attester[0].mode],
  ['schema-required', 'Composition.relatesTo[0]', (one) => delete one.relatesTo[0].targetReference],
  ['schema-type', 'Composition.identifier', (one) => (one.identifier = [{ value: '1' }])],
  ['schema-code', 'Composition.status', (one) => (one.status = 'active')],
  ['schema-code', 'Composition.confidentiality', (one) => (one.confidentiality = '_Confidentiality')],
  ['schema-code', 'Composition.attester[0].mode', (one) => (one.attester[0].mode = 'me')],
  ['schema-code', 'Composition.relatesTo[0].code', (one) => (one.relatesTo[0].code = 'x')],
  ['schema-code', 'Composition.section[0].mode', (one) => (one.section[0].mode = 'x')],
  ['empty', 'Composition.author', (one) => (one.author = [])],
  [
    'choice',
    'Composition.relatesTo[0].targetIdentifier',
    (one) => (one.relatesTo[0].targetIdentifier = { value: '1' }),
  ],
  ['per-1', 'Composition.event[0].period', (one) => (one.event[0].period.end = '2025-12-31')],
  ['cmp-1', 'Composition.section[1].section[0]', (one) => delete one.section[1].section[0].text],
  [
    'cmp-2',
    'Composition.section[1].section[0]',
    (one) => (one.section[1].section[0].entry = [{ reference: 'Observation/1' }]),
  ],
  [
    'reference-target',
    'Composition.encounter.reference',
    (one) => (one.encounter = { reference: 'Patient/1' }),
  ],
  [
    'txt-1',
    'Composition.section[1].section[0].text.div',
    (one) => (one.section[1].section[0].text.div = div('<img src="x">')),
  ],
  ['final-without-attester', 'Composition', (one) => delete one.attester],
  ['final-without-section', 'Composition', (one) => delete one.section],
  ['section-without-text', 'Composition.section[0]', (one) => delete one.section[0].text],
];
