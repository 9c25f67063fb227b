import { concepts, identifiers, metas, periods, references, type Draft, type TypeSample } from './sample.ts';

const record = {
  resourceType: 'Composition',
  status: 'final',
  type: { text: 'Note' },
  subject: { reference: 'Patient/sample' },
  date: '2026-01-02',
  author: [{ display: 'A' }],
  title: 'Note',
};

const createRecords = (values: readonly Draft[], make: (value: Draft) => Draft) =>
  values.map((value) => ({ ...record, ...make(value) }));

const dates = ['2026', '2026-03', '2026-03-01T10:30:00+02:00', '2026-03-01T08:30:00.5Z', '1999-12-31'];
const titles = ['Überweisung 50%', 'uber alles', 'Note, the second | $1 \\ end'];
const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">a</div>' };

export const compositionSample: TypeSample = {
  record,
  statuses: ['preliminary', 'final', 'amended', 'entered-in-error'],
  parameters:
    'attester author category confidentiality context date encounter entry identifier patient period related-id ' +
    'related-ref section status subject title type',
  systems: {
    status: 'http://hl7.org/fhir/composition-status',
    confidentiality: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality',
  },
  searched: [
    ...createRecords(metas, (meta) => ({ meta })),
    ...createRecords(references('Patient', 'Group'), (subject) => ({ subject })),
    ...createRecords(references('Encounter', 'Encounter'), (encounter) => ({
      encounter,
      status: 'preliminary',
    })),
    ...createRecords(references('Practitioner', 'Organization'), (reference) => ({
      author: [reference, { display: 'B' }],
    })),
    ...createRecords(references('Practitioner', 'Patient'), (party) => ({
      attester: [{ mode: 'legal', party }, { mode: 'personal' }],
    })),
    ...createRecords(references('Observation', 'CarePlan'), (reference) => ({
      section: [{ entry: [reference] }],
    })),
    ...createRecords(references('Composition', 'Composition'), (targetReference) => ({
      relatesTo: [{ code: 'replaces', targetReference }],
    })),
    ...createRecords(identifiers, (targetIdentifier) => ({
      relatesTo: [{ code: 'appends', targetIdentifier }],
    })),
    ...createRecords(identifiers, (identifier) => ({ identifier, confidentiality: 'N' })),
    ...createRecords(concepts, (concept) => ({ category: [concept], type: concept })),
    ...createRecords(concepts, (code) => ({
      section: [
        { title: 'S', text },
        { code, text },
      ],
      confidentiality: 'R',
    })),
    ...createRecords(concepts, (concept) => ({ event: [{ code: [concept] }, { period: periods[0] }] })),
    ...createRecords(periods, (period) => ({ event: [{ period }], status: 'amended' })),
    ...dates.map((date) => ({ ...record, date })),
    ...titles.map((title) => ({ ...record, title })),
    {
      ...record,
      category: concepts,
      author: references('Practitioner', 'Organization'),
      event: periods.map((period) => ({ period, code: concepts })),
      section: [
        { title: 'S', text, section: [{ code: { text: 'Below' }, entry: [{ reference: 'Observation/b' }] }] },
      ],
    },
    { resourceType: 'Composition', status: 'entered-in-error' },
  ],
  summed: {
    record: {
      ...record,
      encounter: { reference: 'Encounter/e' },
      confidentiality: 'N',
      section: [{ title: 'S', text }],
    },
    row: {
      status: 'final',
      intent: '',
      title: 'Note',
      subject: 'Patient/sample',
      encounter: 'Encounter/e',
      date: '2026-01-02',
      end: '',
    },
    summaryElements: ['status', 'type', 'subject', 'encounter', 'date', 'author', 'title', 'confidentiality'],
  },
  faults: {
    'cmp-1': [{ section: [{ title: 'S' }] }, 'Composition.section[0]'],
    'cmp-2': [
      { section: [{ text, entry: [{ reference: 'Observation/1' }], emptyReason: { text: 'none' } }] },
      'Composition.section[0]',
    ],
    'final-without-attester': [{}, 'Composition'],
    'final-without-section': [{}, 'Composition'],
    'section-without-text': [
      { section: [{ entry: [{ reference: 'Observation/1' }] }] },
      'Composition.section[0]',
    ],
  },
};
