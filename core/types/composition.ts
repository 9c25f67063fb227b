import { has, list, type Members, type Report, type Rule } from './definition/rule.ts';
import type { TypeDefinition } from './definition/type-definition.ts';

const rules = [
  {
    id: 'cmp-1',
    severity: 'error',
    category: 'completeness',
    code: 'invariant',
    text: 'The section has neither text, entries nor sections; fill it or remove it.',
    on: ['Composition_Section'],
    check: (section: Members, report: Report) => {
      if (!has(section, 'text') && !has(section, 'entry') && !has(section, 'section')) report();
    },
  },
  {
    id: 'cmp-2',
    severity: 'error',
    category: 'conformance',
    code: 'invariant',
    text: 'The section has entries and a reason for being empty; remove one of them.',
    on: ['Composition_Section'],
    check: (section: Members, report: Report) => {
      if (has(section, 'emptyReason') && has(section, 'entry')) report();
    },
  },
  {
    id: 'final-without-attester',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The document is final but nobody attests it; add an attester.',
    on: ['Composition'],
    check: (document: Members, report: Report) => {
      if (document.status === 'final' && list(document.attester).length === 0) report();
    },
  },
  {
    id: 'final-without-section',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The document is final but has no section; add one.',
    on: ['Composition'],
    check: (document: Members, report: Report) => {
      if (document.status === 'final' && list(document.section).length === 0) report();
    },
  },
  {
    id: 'section-without-text',
    severity: 'warning',
    category: 'completeness',
    code: 'business-rule',
    text: 'The section has entries but no text for a reader; add a narrative.',
    on: ['Composition_Section'],
    check: (section: Members, report: Report) => {
      if (!has(section, 'text') && has(section, 'entry')) report();
    },
  },
] as const satisfies readonly Rule[];

export const composition = {
  name: 'Composition',
  plural: 'Compositions',
  called: 'Document',
  calledMany: 'Documents',
  document: 'http://hl7.org/fhir/OperationDefinition/Composition-document',
  summary: {
    status: 'status',
    title: ['title', 'category', 'type'],
    subject: 'subject',
    encounter: 'encounter',
    date: ['date'],
  },
  parameters: {
    subject: 8,
    patient: 8,
    encounter: 9,
    identifier: 10,
    status: 11,
    category: 12,
    date: 13,
    type: 14,
    title: 15,
    author: 16,
    attester: 33,
    confidentiality: 34,
    context: 35,
    entry: 36,
    period: 37,
    'related-id': 38,
    'related-ref': 39,
    section: 40,
    _profile: 41,
    _security: 42,
    _source: 43,
    _tag: 44,
  },
  sort: { date: 'date', status: 'status', title: 'title' },
  filters: ['status', 'type', 'category', 'date', 'author', '_source', '_tag', '_profile'],
  columns: [
    { id: 'type', label: 'Type', path: 'type', as: 'names' },
    { id: 'category', label: 'Category', path: 'category', as: 'names' },
    { id: 'author', label: 'Author', path: 'author', as: 'names', shownAtFirst: true },
    { id: 'sections', label: 'Sections', path: 'section', as: 'count' },
    { id: 'attesters', label: 'Attested by', path: 'attester.party', as: 'names' },
    { id: 'custodian', label: 'Custodian', path: 'custodian', as: 'names' },
    { id: 'confidentiality', label: 'Confidentiality', path: 'confidentiality', as: 'code' },
  ],
  readAs: 'document',
  relations: {
    refersTo: [{ parameter: 'related-ref', member: 'relatesTo' }],
    replaces: { parameter: 'related-ref', code: 'replaces' },
    current: ['preliminary', 'final', 'amended'],
  },
  facts: [
    { label: 'Status', path: 'status', as: 'status', always: true },
    { label: 'Type', path: 'type', as: 'concepts', always: true },
    { label: 'Subject', path: 'subject', as: 'references', always: true },
    { label: 'Encounter', path: 'encounter', as: 'references' },
    { label: 'Date', path: 'date', as: 'date' },
    { label: 'Author', path: 'author', as: 'references', always: true },
    { label: 'Attested by', path: 'attester.party', as: 'references' },
    { label: 'Category', path: 'category', as: 'concepts' },
    { label: 'Custodian', path: 'custodian', as: 'references' },
  ],
  begin: {
    elements: {
      status: 'preliminary',
      type: { text: '' },
      subject: { reference: '' },
      date: '',
      author: [{ display: '' }],
      title: '',
    },
    asks: [
      { label: 'Patient', pointer: '/subject/reference', as: 'subject' },
      { label: 'Title', pointer: '/title', as: 'text' },
      { label: 'Kind of document', pointer: '/type/text', as: 'text' },
      { label: 'Author', pointer: '/author/0/display', as: 'text' },
    ],
    dated: 'date',
  },
  enteredInError: 'entered-in-error',
  rules,
} as const satisfies TypeDefinition;
