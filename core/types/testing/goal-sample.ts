import { concepts, identifiers, metas, references, type Draft, type TypeSample } from './sample.ts';

const record = {
  resourceType: 'Goal',
  lifecycleStatus: 'active',
  description: { text: 'Walk a mile' },
  subject: { reference: 'Patient/sample' },
};

const createRecords = (values: readonly Draft[], make: (value: Draft) => Draft) =>
  values.map((value) => ({ ...record, ...make(value) }));

const dates = ['2026', '2026-03', '2026-03-15', '1999-12-31'];
const measure = { text: 'Distance' };

export const goalSample: TypeSample = {
  record,
  statuses: [
    'proposed',
    'planned',
    'accepted',
    'active',
    'on-hold',
    'completed',
    'cancelled',
    'entered-in-error',
    'rejected',
  ],
  parameters:
    'achievement-status category identifier lifecycle-status patient start-date subject target-date',
  systems: { 'lifecycle-status': 'http://hl7.org/fhir/goal-status' },
  searched: [
    ...createRecords(metas, (meta) => ({ meta })),
    ...createRecords(references('Patient', 'Group'), (subject) => ({ subject })),
    ...createRecords(identifiers, (identifier) => ({ identifier: [identifier], lifecycleStatus: 'on-hold' })),
    ...createRecords(concepts, (concept) => ({ category: [concept], achievementStatus: concept })),
    ...dates.map((startDate) => ({ ...record, startDate })),
    ...dates.map((dueDate) => ({
      ...record,
      target: [{ dueDate }, { dueDuration: { value: 1, unit: 'week' } }],
    })),
    { ...record, startCodeableConcept: { text: '2026' }, target: [{ measure, detailString: '2026' }] },
    {
      ...record,
      lifecycleStatus: 'rejected',
      identifier: identifiers,
      category: concepts,
      target: dates.map((dueDate) => ({ dueDate })),
    },
    { resourceType: 'Goal', lifecycleStatus: 'planned' },
  ],
  summed: {
    record: { ...record, startDate: '2026-03', statusDate: '2026-04-01', outcomeCode: [{ text: 'Reached' }] },
    row: {
      status: 'active',
      intent: '',
      title: 'Walk a mile',
      subject: 'Patient/sample',
      encounter: '',
      date: '2026-03',
      end: '',
    },
    summaryElements: ['lifecycleStatus', 'description', 'subject', 'startDate', 'statusDate'],
  },
  faults: {
    'gol-1': [{ target: [{ detailString: 'A mile' }] }, 'Goal.target[0]'],
    'achieved-while-proposed': [
      { lifecycleStatus: 'proposed', achievementStatus: { text: 'achieved' } },
      'Goal',
    ],
  },
};
