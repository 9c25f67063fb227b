import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { anchorAt, anchorsOf, byBlock } from './anchors.ts';
import { cardOf } from '../card/card.ts';
import { toReadableRecord } from './reading.ts';

const today = '2025-03-10';
const readRecord = (record: string | object) =>
  toReadableRecord(scan(typeof record === 'string' ? record : JSON.stringify(record)).root, today);

const div = '<div>x</div>';

test('lists the sections of a document in order, with depth and content', () => {
  const { document, relations } = readRecord({
    resourceType: 'Composition',
    relatesTo: [
      { code: 'replaces', targetReference: { reference: 'Composition/1' } },
      { code: 'appends', targetIdentifier: { value: 'abc' } },
    ],
    attester: [{ mode: 'legal', time: '2025-03-01', party: { display: 'Dr Lee' } }],
    section: [
      {
        title: 'Findings',
        text: { div },
        section: [{ code: { text: 'Labs' }, entry: [{ reference: 'Observation/1' }, {}] }],
      },
      { title: 'Plan', emptyReason: { text: 'Not asked' } },
      { title: 'Course', section: [{ title: 'Day 1' }] },
    ],
  });
  expect(
    document?.sections.map(({ title, depth, content, pointer }) => [title, depth, content, pointer]),
  ).toEqual([
    ['Findings', 0, 'text', '/section/0'],
    ['Labs', 1, 'entriesOnly', '/section/0/section/0'],
    ['Plan', 0, 'none', '/section/1'],
    ['Course', 0, 'sections', '/section/2'],
    ['Day 1', 1, 'none', '/section/2/section/0'],
  ]);
  expect(document?.sections[1]?.entries).toHaveLength(2);
  expect(document?.sections[2]?.emptyReason).toBe('Not asked');
  expect(document?.attesters).toMatchObject([
    { mode: 'legal', time: '2025-03-01', party: { display: 'Dr Lee' } },
  ]);
  expect(relations).toEqual([
    { kind: 'replaces', to: { reference: 'Composition/1', display: '', pointer: '/relatesTo/0' } },
    { kind: 'appends', to: { reference: '', display: 'abc', pointer: '/relatesTo/1' } },
  ]);
});

test('returns the requested number of sections, and counts all', () => {
  const section = [
    { title: 'One', section: [{ title: 'Within' }, { title: 'Last within' }] },
    { title: 'Two' },
  ];
  const { root } = scan(JSON.stringify({ resourceType: 'Composition', section }));
  const titles = (maxSections?: number) => {
    const { document } = toReadableRecord(root, today, maxSections);
    return [document?.sections.map(({ title }) => title), document?.sectionCount];
  };
  expect(titles(2)).toEqual([['One', 'Within'], 4]);
  expect(titles()).toEqual([['One', 'Within', 'Last within', 'Two'], 4]);
});

test.each([
  [{ start: '2025-01-01', end: '2025-02-01' }, undefined],
  [{ start: '2024-12-31', end: '2025-02-01' }, 'partly'],
  [{ start: '2025-03-01', end: '2025-04-01' }, 'partly'],
  [{ start: '2025-08-02' }, 'wholly'],
  [{ end: '2025-03' }, undefined],
  // A month may mean a day within the plan.
  [{ start: '2025-03' }, undefined],
  [{ start: 'soon' }, undefined],
  [{}, undefined],
])('places an activity of %j outside a plan of January to March: %s', (scheduledPeriod, outside) => {
  const { plan } = readRecord({
    resourceType: 'CarePlan',
    period: { start: '2025-01-01', end: '2025-03-31' },
    activity: [{ detail: { scheduledPeriod } }],
  });
  expect(plan?.activities[0]?.outside).toBe(outside);
  expect(plan?.times.activities[0]?.outside).toBe(outside);
});

test('uses the same activity names in the table, above the bars and in the summary', () => {
  const record = {
    resourceType: 'CarePlan',
    contained: [{ resourceType: 'ServiceRequest', id: 's', code: { text: 'Blood count' } }],
    activity: [
      { detail: { code: { text: 'Walk' }, description: 'Each morning' } },
      { reference: { reference: '#s' } },
      { outcomeCodeableConcept: [{ text: 'Slept' }] },
      { detail: { productCodeableConcept: { text: 'Insulin' }, kind: 'MedicationRequest' } },
      { detail: { kind: 'Task' } },
      {},
    ],
  };
  const titles = ['Walk', 'Blood count', 'Slept', 'Insulin', 'Task', ''];
  const { plan } = readRecord(record);
  const lists = [
    plan?.activities,
    plan?.times.activities,
    cardOf(scan(JSON.stringify(record)).root, '2025-01-01').activities,
  ];
  for (const list of lists) expect(list?.map(({ title }) => title)).toEqual(titles);
});

test('returns activities, goals and team of a plan with the digits of the record', () => {
  const { plan } = readRecord(`{"resourceType":"CarePlan",
    "contained":[
      {"resourceType":"Goal","id":"g","description":{"text":"Sleep"},"lifecycleStatus":"active","addresses":[{"reference":"#c"}]},
      {"resourceType":"Condition","id":"c","code":{"coding":[{"display":"Insomnia"}]}},
      {"resourceType":"CareTeam","id":"t","participant":[{"role":[{"text":"Nurse"}],"member":{"reference":"#p"}}]},
      {"resourceType":"Practitioner","id":"p","name":[{"given":["Ivo"],"family":"Placeholder"}]}],
    "goal":[{"reference":"#g"}],"careTeam":[{"reference":"#t"}],"addresses":[{"reference":"#c"}],
    "activity":[
      {"detail":{"code":{"text":"Walk"},"goal":[{"reference":"#g"}],"quantity":{"value":4.00,"unit":"km"},
        "scheduledTiming":{"event":["2025-02-03","2025-02-01"],"repeat":{"frequency":2,"period":1.0,"periodUnit":"d"}}}},
      {"reference":{"reference":"ServiceRequest/9","display":"Blood count"}}]}`);
  expect(plan?.activities).toMatchObject([
    {
      title: 'Walk',
      start: '2025-02-01',
      end: '2025-02-03',
      schedule: '2 × per 1.0 d',
      amounts: ['4.00 km'],
    },
    { title: 'Blood count', start: '', reference: { reference: 'ServiceRequest/9' } },
  ]);
  expect(plan?.goals).toMatchObject([
    {
      goal: { display: 'Sleep' },
      status: 'active',
      addresses: [{ display: 'Insomnia' }],
      served: ['Walk'],
    },
  ]);
  expect(plan?.team.map(({ display }) => display)).toEqual(['', 'Ivo Placeholder, Nurse']);
  expect(plan?.addresses).toMatchObject([{ display: 'Insomnia' }]);
});

test('groups findings by the nearest visible block', () => {
  const anchors = anchorsOf(
    readRecord({
      resourceType: 'Composition',
      status: 'final',
      section: [{ title: 'A', text: { div }, entry: [{}] }],
    }),
  );
  expect(anchorAt(anchors, '/section/0/text/div')).toBe('/section/0/text');
  expect(anchorAt(anchors, '/section/0/entry/0/reference')).toBe('/section/0/entry/0');
  expect(anchorAt(anchors, '/meta/tag/0')).toBe('');
  const findings = ['/section/0/text/div', '/section/0/code', '/status', '/meta'].map((pointer) => ({
    pointer,
  }));
  expect(
    [...byBlock(anchors, findings)].map(([block, blockFindings]) => [block, blockFindings.length]),
  ).toEqual([
    ['/section/0', 2],
    ['/status', 1],
    ['', 1],
  ]);
});

test.each([
  [null],
  [[]],
  ['text'],
  [{ activity: 'x', section: 1, goal: {}, note: 'a', contained: 3, relatesTo: [1] }],
])('reads a record of any shape: %j', (record) => {
  for (const resourceType of ['Composition', 'CarePlan', 'Other']) {
    const reading = readRecord(Object.assign({ resourceType }, record));
    expect(reading.notes).toEqual([]);
    expect(anchorsOf(reading).get('')).toBe('');
  }
});

test.each([
  [{ frequency: 2, period: 1, periodUnit: 'd' }, '2 × per 1 d'],
  [{ period: 3, periodUnit: 'wk' }, '1 × per 3 wk'],
  [{ frequency: 3 }, '3 × per 1'],
  [{}, ''],
])('formats the frequency of an activity: %j', (repeat, schedule) => {
  const detail = { status: 'in-progress', scheduledTiming: { repeat } };
  expect(readRecord({ resourceType: 'CarePlan', activity: [{ detail }] }).plan?.activities[0]?.schedule).toBe(
    schedule,
  );
});

test('names the author of a note by text, display or reference', () => {
  const reference = 'Practitioner/1';
  const note = [
    { text: 'a', authorString: 'A' },
    { text: 'b', authorReference: { reference, display: 'B' } },
    { text: 'c', authorReference: { reference } },
    { authorString: 'D' },
  ];
  expect(readRecord({ resourceType: 'CarePlan', note }).notes.map(({ author }) => author)).toEqual([
    'A',
    'B',
    reference,
  ]);
});

test('names an event of a document by its codes', () => {
  const event = [
    { code: [{ text: 'Visit' }, { coding: [{ display: 'Review' }] }, {}], period: { end: '2025-01-02' } },
  ];
  expect(readRecord({ resourceType: 'Composition', event }).document?.events).toMatchObject([
    { text: 'Visit, Review', start: '', end: '2025-01-02' },
  ]);
});
