import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { anchorAt, anchorsOf, byBlock } from './anchors.ts';
import { cardOf } from '../card/card.ts';
import { readingOf } from './reading.ts';

const today = '2025-03-10';
const read = (record: string | object) =>
  readingOf(scan(typeof record === 'string' ? record : JSON.stringify(record)).root, today);

const div = '<div>x</div>';

test('a document lists its sections in order, nested ones behind the one that holds them, with what each holds', () => {
  const { document, relations } = read({
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
  expect(document?.sections.map(({ title, depth, fill, pointer }) => [title, depth, fill, pointer])).toEqual([
    ['Findings', 0, 'text', '/section/0'],
    ['Labs', 1, 'entries', '/section/0/section/0'],
    ['Plan', 0, 'nothing', '/section/1'],
    ['Course', 0, 'sections', '/section/2'],
    ['Day 1', 1, 'nothing', '/section/2/section/0'],
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

test('of a document no more sections than asked for are laid out, and all are counted', () => {
  const section = [
    { title: 'One', section: [{ title: 'Within' }, { title: 'Last within' }] },
    { title: 'Two' },
  ];
  const { root } = scan(JSON.stringify({ resourceType: 'Composition', section }));
  const titles = (most?: number) => {
    const { document } = readingOf(root, today, most);
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
  // A month may still mean a day within.
  [{ start: '2025-03' }, undefined],
  [{ start: 'soon' }, undefined],
  [{}, undefined],
])('an activity of %j lies outside a plan of January to March: %s', (scheduledPeriod, outside) => {
  const { plan } = read({
    resourceType: 'CarePlan',
    period: { start: '2025-01-01', end: '2025-03-31' },
    activity: [{ detail: { scheduledPeriod } }],
  });
  expect(plan?.activities[0]?.outside).toBe(outside);
  expect(plan?.times.activities[0]?.outside).toBe(outside);
});

test('an activity has one name in the table, above the bars and in the summary', () => {
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
  const { plan } = read(record);
  const all = [
    plan?.activities,
    plan?.times.activities,
    cardOf(scan(JSON.stringify(record)).root, '2025-01-01').activities,
  ];
  for (const one of all) expect(one?.map(({ title }) => title)).toEqual(titles);
});

test('a plan says what is done when, by whom, for which goal, with the digits of the record', () => {
  const { plan } = read(`{"resourceType":"CarePlan",
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

test('what was found stands beside the nearest block that is shown', () => {
  const anchors = anchorsOf(
    read({
      resourceType: 'Composition',
      status: 'final',
      section: [{ title: 'A', text: { div }, entry: [{}] }],
    }),
  );
  expect(anchorAt(anchors, '/section/0/text/div')).toBe('/section/0/text');
  expect(anchorAt(anchors, '/section/0/entry/0/reference')).toBe('/section/0/entry/0');
  expect(anchorAt(anchors, '/meta/tag/0')).toBe('');
  const found = ['/section/0/text/div', '/section/0/code', '/status', '/meta'].map((pointer) => ({
    pointer,
  }));
  expect([...byBlock(anchors, found)].map(([block, all]) => [block, all.length])).toEqual([
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
])('a record of any shape can be read: %j', (record) => {
  for (const resourceType of ['Composition', 'CarePlan', 'Other']) {
    const reading = read(Object.assign({ resourceType }, record));
    expect(reading.notes).toEqual([]);
    expect(anchorsOf(reading).get('')).toBe('');
  }
});

test.each([
  [{ frequency: 2, period: 1, periodUnit: 'd' }, '2 × per 1 d'],
  [{ period: 3, periodUnit: 'wk' }, '1 × per 3 wk'],
  [{ frequency: 3 }, '3 × per 1'],
  [{}, ''],
])('how often an activity is done, as far as it is said: %j', (repeat, schedule) => {
  const detail = { status: 'in-progress', scheduledTiming: { repeat } };
  expect(read({ resourceType: 'CarePlan', activity: [{ detail }] }).plan?.activities[0]?.schedule).toBe(
    schedule,
  );
});

test('a note names its author by a text, by the name that goes with the reference, or by the reference', () => {
  const reference = 'Practitioner/1';
  const note = [
    { text: 'a', authorString: 'A' },
    { text: 'b', authorReference: { reference, display: 'B' } },
    { text: 'c', authorReference: { reference } },
    { authorString: 'D' },
  ];
  expect(read({ resourceType: 'CarePlan', note }).notes.map(({ author }) => author)).toEqual([
    'A',
    'B',
    reference,
  ]);
});

test('an event of a document is told by what its codes are called', () => {
  const event = [
    { code: [{ text: 'Visit' }, { coding: [{ display: 'Review' }] }, {}], period: { end: '2025-01-02' } },
  ];
  expect(read({ resourceType: 'Composition', event }).document?.events).toMatchObject([
    { text: 'Visit, Review', start: '', end: '2025-01-02' },
  ]);
});
