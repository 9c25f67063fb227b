import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { anchorsOf } from './anchors.ts';
import { toReadableRecord } from './reading.ts';

const readRecord = (record: object) => toReadableRecord(scan(JSON.stringify(record)).root, '2025-03-10');
const activityOf = (activity: object, members: object = {}) =>
  readRecord({ resourceType: 'CarePlan', ...members, activity: [activity] }).plan?.activities[0];

test("returns period and details of a document's event", () => {
  const event = [
    { period: { start: '2025-01-01', end: '2025-01-02' }, detail: [{ reference: 'Encounter/1' }, {}] },
  ];
  expect(readRecord({ resourceType: 'Composition', confidentiality: 'R', event }).document).toMatchObject({
    confidentiality: 'R',
    events: [
      {
        text: '',
        start: '2025-01-01',
        end: '2025-01-02',
        pointer: '/event/0',
        details: [{ reference: 'Encounter/1', pointer: '/event/0/detail/0' }],
      },
    ],
  });
});

test('returns focus, authors and entries of a section, including empty entries', () => {
  const section = {
    title: '',
    code: { coding: [{ code: 'c' }] },
    text: { div: '' },
    entry: [{}, { display: 'E' }],
    focus: { reference: 'Patient/1' },
    author: [{ display: 'A' }],
  };
  const { sections } = readRecord({ resourceType: 'Composition', section }).document ?? {};
  expect(sections).toEqual([
    {
      title: 'c',
      depth: 0,
      content: 'entriesOnly',
      narrative: undefined,
      emptyReason: '',
      pointer: '/section',
      entries: [
        { reference: '', display: '', pointer: '/section/entry/0' },
        { reference: '', display: 'E', pointer: '/section/entry/1' },
      ],
      focus: { reference: 'Patient/1', display: '', pointer: '/section/focus' },
      authors: [{ reference: '', display: 'A', pointer: '/section/author/0' }],
    },
  ]);
});

test('counts a section that is an object instead of a list', () => {
  const section = { section: { section: [{}] } };
  expect(readRecord({ resourceType: 'Composition', section }).document).toMatchObject({ sectionCount: 3 });
});

test('names team members by display, name or reference', () => {
  const participant = [
    { role: [{}, { text: 'Nurse' }], member: { reference: '#p' } },
    { member: { reference: '#p', display: 'Ivo' } },
    { role: [{ text: 'Lead' }], member: { reference: '#n' } },
    { member: { reference: 'Practitioner/9' } },
    { role: [{ text: 'Any physician' }] },
    {},
  ];
  const contained = [{ id: 't', participant }, { id: 'p', name: [{ text: 'Ivo P' }] }, { id: 'n' }];
  const team = (reference: string) =>
    readRecord({ resourceType: 'CarePlan', contained, careTeam: [{ reference }] }).plan?.team;
  expect(team('#t')?.slice(1)).toMatchObject([
    { reference: '#p', display: 'Ivo P, Nurse', pointer: '/contained/0/participant/0' },
    { reference: '#p', display: 'Ivo' },
    { reference: '#n', display: '#n, Lead' },
    { reference: 'Practitioner/9', display: 'Practitioner/9' },
    { reference: '', display: 'Any physician' },
  ]);
  expect(team('CareTeam/1')).toHaveLength(1);
});

test('returns no status for an external goal, and no activities for a goal without reference', () => {
  const members = { goal: [{ display: 'Sleep' }, { reference: 'Goal/1' }] };
  const detail = { goal: [{ display: 'Sleep' }, { reference: 'Goal/1' }], code: { text: 'Walk' } };
  const { plan } = readRecord({ resourceType: 'CarePlan', ...members, activity: [{ detail }] });
  expect(plan?.goals.map(({ status, addresses, served }) => [status, addresses, served.length])).toEqual([
    ['', [], 0],
    ['', [], 1],
  ]);
});

test('returns performers, reasons, location, amounts and outcomes of an activity', () => {
  const detail = {
    code: { text: 'Walk' },
    description: 'Slowly',
    doNotPerform: true,
    status: 'in-progress',
    performer: [{ display: 'P' }],
    reasonCode: [{ text: 'R' }],
    reasonReference: [{ reference: '#c' }],
    location: { reference: 'Location/1' },
    dailyAmount: { comparator: '<', value: 4, code: 'km' },
    quantity: { unit: 'km' },
  };
  const activity = {
    detail,
    outcomeCodeableConcept: [{ text: 'O' }, {}],
    outcomeReference: [{ reference: 'Observation/1' }],
    progress: [{ text: 'Fine', time: '2025-02-01' }, { time: '2025' }],
    reference: { reference: '#c' },
  };
  const contained = [{ id: 'c', code: { text: 'Insomnia' } }];
  expect(activityOf(activity, { contained })).toMatchObject({
    title: 'Do NOT: Walk',
    negation: 'Do NOT',
    description: 'Slowly',
    status: 'in-progress',
    performers: [{ display: 'P' }],
    reasons: [
      { reference: '', display: 'R', pointer: '/activity/0/detail/reasonCode/0' },
      { reference: '#c', display: 'Insomnia' },
    ],
    location: 'Location/1',
    amounts: ['< 4 km'],
    outcomes: [{ display: 'O' }, { reference: 'Observation/1' }],
    progress: [{ text: 'Fine', time: '2025-02-01', author: '' }],
    reference: { reference: '#c', display: 'Insomnia' },
  });
});

test.each([
  [{ description: 'Walk' }, ''],
  [{ code: { text: 'Walk' }, description: 'Walk' }, ''],
  [{ code: { text: 'Walk' }, description: 'Slowly' }, 'Slowly'],
])('omits a repeated description: %j', (detail, description) => {
  expect(activityOf({ detail })?.description).toBe(description);
});

test('returns only the present parts of an activity', () => {
  const bare = activityOf({ detail: { doNotPerform: false, location: { display: 'Home' } } });
  expect(bare).toMatchObject({ title: '', location: 'Home', amounts: [], outcomes: [] });
  expect(bare).not.toHaveProperty('negation');
  expect(bare).not.toHaveProperty('reference');
  expect(bare).not.toHaveProperty('outside');
});

test.each<[detail: object, start: string, end: string, schedule: string]>([
  [{ scheduledPeriod: { start: '2025', end: '2026' } }, '2025', '2026', ''],
  [{ scheduledTiming: { repeat: { boundsPeriod: { start: '2025', end: '2026' } } } }, '2025', '2026', ''],
  [{ scheduledTiming: { event: ['2025-02-01'] } }, '2025-02-01', '', ''],
  [{ scheduledTiming: { event: ['2025-03-01', '', '2025-02-01'] } }, '2025-02-01', '2025-03-01', ''],
  [{ scheduledString: 'at dusk', scheduledTiming: { code: { text: 'QD' } } }, '', '', 'at dusk'],
  [{ scheduledTiming: { code: { text: 'QD' }, repeat: { frequency: 2 } } }, '', '', 'QD'],
  [{ scheduledTiming: { repeat: { frequency: '2' } } }, '', '', ''],
  [{}, '', '', ''],
])('reads the schedule %j from %j to %j as %j', (detail, start, end, schedule) => {
  expect(activityOf({ detail })).toMatchObject({ start, end, schedule });
});

test('lists related records by reference or URL', () => {
  const { relations } = readRecord({
    resourceType: 'CarePlan',
    basedOn: [{ reference: 'CarePlan/1' }, {}],
    partOf: [{ display: 'Whole' }],
    replaces: [{ reference: 'CarePlan/2' }],
    supportingInfo: [{ reference: 'Observation/1' }],
    instantiatesCanonical: ['http://x/A'],
    instantiatesUri: ['http://x/B', ''],
    relatesTo: [{ code: 'appends', targetReference: {} }, { targetIdentifier: { value: 'v' } }],
  });
  expect(relations).toEqual([
    { kind: '', to: { reference: '', display: 'v', pointer: '/relatesTo/1' } },
    { kind: 'basedOn', to: { reference: 'CarePlan/1', display: '', pointer: '/basedOn/0' } },
    { kind: 'replaces', to: { reference: 'CarePlan/2', display: '', pointer: '/replaces/0' } },
    { kind: 'partOf', to: { reference: '', display: 'Whole', pointer: '/partOf/0' } },
    { kind: 'supportingInfo', to: { reference: 'Observation/1', display: '', pointer: '/supportingInfo/0' } },
    {
      kind: 'instantiatesCanonical',
      to: { reference: 'http://x/A', display: '', pointer: '/instantiatesCanonical/0' },
    },
    { kind: 'instantiatesUri', to: { reference: 'http://x/B', display: '', pointer: '/instantiatesUri/0' } },
  ]);
});

test('returns title, description, narrative and contributors', () => {
  const members = {
    title: 'T',
    description: 'D',
    text: { div: '<div>x</div>' },
    contributor: [{ display: 'C' }],
    note: [{ text: 'N', time: '2025' }],
  };
  const reading = readRecord({ resourceType: 'CarePlan', ...members });
  expect(reading).toMatchObject({
    type: 'CarePlan',
    title: 'T',
    description: 'D',
    narrative: { xhtml: '<div>x</div>', pointer: '/text' },
    contributors: [{ display: 'C', pointer: '/contributor/0' }],
    notes: [{ text: 'N', time: '2025', author: '', pointer: '/note/0' }],
  });
  expect(reading).not.toHaveProperty('document');
  expect(readRecord({ resourceType: 'Composition' })).not.toHaveProperty('plan');
  expect(readRecord({ resourceType: 'Patient' }).narrative).toBeUndefined();
});

test('anchors each part of a record as a separate block', () => {
  const plan = {
    title: 'T',
    note: [{ text: 'N' }],
    contributor: [{ display: 'C' }],
    text: { div: '<div>x</div>' },
    activity: [{}],
    goal: [{ reference: 'Goal/1' }],
    addresses: [{ reference: 'Condition/1' }],
    careTeam: [{ reference: 'CareTeam/1' }],
    basedOn: [{ reference: 'CarePlan/1' }],
  };
  const anchors = anchorsOf(readRecord({ resourceType: 'CarePlan', ...plan }));
  for (const pointer of ['/title', '/description', '']) expect(anchors.get(pointer)).toBe('');
  const blocks = ['note', 'contributor', 'activity', 'goal', 'addresses', 'careTeam', 'basedOn'];
  for (const block of blocks) expect(anchors.get(`/${block}/0`)).toBe(`/${block}/0`);
  expect(anchors.get('/text')).toBe('/text');
  const note = { event: [{ period: { start: '2025' } }], attester: [{ mode: 'legal' }] };
  const head = anchorsOf(readRecord({ resourceType: 'Composition', ...note }));
  for (const block of ['event', 'attester']) expect(head.get(`/${block}/0`)).toBe(`/${block}/0`);
});
