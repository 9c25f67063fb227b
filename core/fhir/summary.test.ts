import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { shortId } from './names.ts';
import { summarize, summarizeValue } from './summary.ts';

const plan = {
  resourceType: 'CarePlan',
  id: 'a',
  meta: { versionId: '3', lastUpdated: '2026-01-03T14:02:00Z' },
  status: 'active',
  intent: 'plan',
  title: 'Wound care',
  subject: { reference: 'Patient/1', display: 'Zoë Fixture' },
  encounter: { reference: 'Encounter/2' },
  period: { start: '2024-01-03', end: '2024-04-03' },
};
const summaryOf = (record: unknown) => summarize(scan(JSON.stringify(record)).root);

test('a care plan is summed up with both ends of its period', () => {
  expect(summaryOf(plan)).toEqual({
    type: 'CarePlan',
    id: 'a',
    status: 'active',
    intent: 'plan',
    title: 'Wound care',
    subject: 'Patient/1',
    subjectName: 'Zoë Fixture',
    encounter: 'Encounter/2',
    date: '2024-01-03',
    end: '2024-04-03',
    version: '3',
    lastUpdated: '2026-01-03T14:02:00Z',
  });
});

test('a document has its date, a plan without a period the day on which it was made', () => {
  const { date, end } = summaryOf({ resourceType: 'Composition', date: '2024-02-01T08:00:00Z' });
  expect([date, end]).toEqual(['2024-02-01T08:00:00Z', '']);
  expect(summaryOf({ resourceType: 'CarePlan', created: '2024-03' }).date).toBe('2024-03');
});

test.each([
  [{ title: 'T', category: [{ text: 'C' }] }, 'T'],
  [{ category: [{}, { coding: [{ code: 'x' }, { display: 'C' }] }], description: 'D' }, 'C'],
  [
    { resourceType: 'Composition', type: { text: 'Discharge summary', coding: [{ display: 'Summary' }] } },
    'Discharge summary',
  ],
  [{ description: 'D' }, 'D'],
  [{ activity: [{}, { detail: { description: 'Walk' } }, { detail: { code: { text: 'Diet' } } }] }, 'Diet'],
  [{ activity: [{ reference: { display: 'Referral' } }], description: 'D' }, 'Referral'],
  [{ resourceType: 'CarePlan' }, 'Care plan'],
  [{ resourceType: 'Composition', title: '' }, 'Document'],
])('the title of %j is its first name for what it is about', (record, title) => {
  expect(summaryOf(record).title).toBe(title);
});

test('a subject that is only named is shown by its name', () => {
  const { subject, subjectName } = summaryOf({ subject: { display: 'Zoë Fixture' } });
  expect([subject, subjectName]).toEqual(['Zoë Fixture', 'Zoë Fixture']);
});

test('a subject has the name of the contained patient that it leads to', () => {
  const contained = [{ id: 'q' }, { resourceType: 'Patient', id: 'p', name: [{ text: 'Ada Example' }] }];
  const record = { ...plan, subject: { reference: '#p' }, contained };
  expect(summaryOf(record)).toMatchObject({ subject: '#p', subjectName: 'Ada Example' });
  expect(summarizeValue(record)).toEqual(summaryOf(record));
});

test('what is no text in a name is left out of it', () => {
  const contained = [{ id: 'p', name: [{ given: [null, true, 'Ada'], family: 'Low' }] }];
  expect(summaryOf({ ...plan, subject: { reference: '#p' }, contained }).subjectName).toBe('Ada Low');
});

test('an id is cut in its middle', () => {
  expect(['17', '3819264d-f39e-4c1f-9d0a-a523e807bea1'].map(shortId)).toEqual(['17', '3819264d…bea1']);
});

test('what the engine has read is summed up as its text is', () => {
  expect(summarizeValue({ ...plan, activity: [{}], text: { div: '<div/>' } })).toEqual(summaryOf(plan));
});

test.each([null, 7, [], 'text', { title: 7, period: [], subject: null, category: {} }])(
  'any shape is tolerated: %j',
  (record) => {
    const { title, end } = summaryOf(record);
    expect([title, end]).toEqual(['', '']);
  },
);
