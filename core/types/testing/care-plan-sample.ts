import { concepts, identifiers, metas, periods, references, type Draft, type TypeSample } from './sample.ts';

const record = {
  resourceType: 'CarePlan',
  status: 'active',
  intent: 'plan',
  subject: { reference: 'Patient/sample' },
};

const status = 'in-progress';

/** Scheduled times in every form of R4. */
const scheduled: readonly Draft[] = [
  { scheduledPeriod: { start: '2026-03-01', end: '2026-03-31' } },
  { scheduledPeriod: { start: '2026-05-01T08:00:00Z' } },
  { scheduledPeriod: { end: '2025-06' } },
  { scheduledTiming: { event: ['2026-04-02', '2026-04-20T10:00:00+02:00'] } },
  { scheduledTiming: { repeat: { boundsPeriod: { start: '2025-01' }, frequency: 1 } } },
  {
    scheduledTiming: {
      repeat: { boundsPeriod: { start: '2026-07', end: '2026-08' } },
      event: ['2026-06-30'],
    },
  },
  { scheduledTiming: { code: { text: 'daily' } } },
  { scheduledString: '2026' },
];

const activities: readonly Draft[] = [
  ...scheduled.map((when) => ({ detail: { status, ...when } })),
  ...concepts.map((code) => ({ detail: { status, code } })),
  ...references('Practitioner', 'Organization').map((performer) => ({
    detail: { status, performer: [performer] },
  })),
  ...references('Task', 'Appointment').map((reference) => ({ reference })),
];

/** Returns one record for each value. */
const createRecords = (values: readonly Draft[], make: (value: Draft) => Draft) =>
  values.map((value) => ({ ...record, ...make(value) }));

export const carePlanSample: TypeSample = {
  record,
  statuses: ['draft', 'active', 'on-hold', 'revoked', 'completed', 'entered-in-error', 'unknown'],
  parameters:
    'activity-code activity-date activity-reference based-on care-team category condition date encounter goal ' +
    'identifier instantiates-canonical instantiates-uri intent part-of patient performer replaces status subject',
  systems: {
    status: 'http://hl7.org/fhir/request-status',
    intent: 'http://hl7.org/fhir/request-intent',
  },
  searched: [
    ...createRecords(metas, (meta) => ({ meta })),
    ...createRecords(references('Patient', 'Group'), (subject) => ({ subject })),
    ...createRecords(references('Encounter', 'Encounter'), (encounter) => ({ encounter, status: 'draft' })),
    ...createRecords(references('CarePlan', 'CarePlan'), (reference) => ({
      basedOn: [reference],
      partOf: [reference],
      replaces: [reference],
    })),
    ...createRecords(references('CareTeam', 'CareTeam'), (reference) => ({ careTeam: [reference] })),
    ...createRecords(references('Condition', 'Condition'), (reference) => ({ addresses: [reference] })),
    ...createRecords(references('Goal', 'Goal'), (reference) => ({ goal: [reference], intent: 'order' })),
    ...createRecords(identifiers, (identifier) => ({ identifier: [identifier] })),
    ...createRecords(concepts, (concept) => ({ category: [concept] })),
    ...createRecords(periods, (period) => ({ period, status: 'completed' })),
    ...createRecords(activities, (activity) => ({ activity: [activity] })),
    {
      ...record,
      status: 'on-hold',
      instantiatesCanonical: [
        'http://plan.example/PlanDefinition/a|1.2',
        'http://plan.example/PlanDefinition/b',
        'http://plan.example/guideline/',
      ],
      instantiatesUri: ['http://plan.example/page', 'urn:oid:1.2.3'],
    },
    {
      ...record,
      instantiatesCanonical: ['http://plan.example/PlanDefinition/a|2.0'],
      instantiatesUri: ['http://plan.example/Page', 'http://plan.example/page|1'],
      identifier: identifiers,
      category: concepts,
      activity: activities.slice(3, 12),
      goal: references('Goal', 'Goal'),
    },
    { resourceType: 'CarePlan', status: 'unknown', intent: 'proposal' },
  ],
  summed: {
    record: {
      ...record,
      encounter: { reference: 'Encounter/e' },
      category: [{ text: 'Diet' }],
      period: { start: '2026-03', end: '2026-04' },
      note: [{ text: 'A note' }],
    },
    row: {
      status: 'active',
      intent: 'plan',
      title: 'Diet',
      subject: 'Patient/sample',
      encounter: 'Encounter/e',
      date: '2026-03',
      end: '2026-04',
    },
    summaryElements: ['status', 'intent', 'subject', 'encounter', 'category', 'period'],
  },
  faults: {
    'cpl-3': [
      { activity: [{ reference: { reference: 'Task/1' }, detail: { status } }] },
      'CarePlan.activity[0]',
    ],
    'completed-without-end': [{ status: 'completed' }, 'CarePlan'],
    'plan-overdue': [{ period: { end: '2020-01-01' } }, 'CarePlan.period.end'],
  },
};
