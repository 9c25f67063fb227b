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

test('summarizes a care plan with both ends of its period', () => {
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

test('uses the date of a document, or the creation day of a plan without a period', () => {
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
])('returns the first name of %j as the title', (record, title) => {
  expect(summaryOf(record).title).toBe(title);
});

test('shows the display of a subject without a reference', () => {
  const { subject, subjectName } = summaryOf({ subject: { display: 'Zoë Fixture' } });
  expect([subject, subjectName]).toEqual(['Zoë Fixture', 'Zoë Fixture']);
});

test('names a subject by its contained patient', () => {
  const contained = [{ id: 'q' }, { resourceType: 'Patient', id: 'p', name: [{ text: 'Ada Example' }] }];
  const record = { ...plan, subject: { reference: '#p' }, contained };
  expect(summaryOf(record)).toMatchObject({ subject: '#p', subjectName: 'Ada Example' });
  expect(summarizeValue(record)).toEqual(summaryOf(record));
});

test('ignores names that are not texts', () => {
  const contained = [{ id: 'p', name: [{ given: [null, true, 'Ada'], family: 'Low' }] }];
  expect(summaryOf({ ...plan, subject: { reference: '#p' }, contained }).subjectName).toBe('Ada Low');
});

test('shortens an id in its middle', () => {
  expect(['17', '3819264d-f39e-4c1f-9d0a-a523e807bea1'].map(shortId)).toEqual(['17', '3819264d…bea1']);
});

test('summarizes a parsed value like its text', () => {
  expect(summarizeValue({ ...plan, activity: [{}], text: { div: '<div/>' } })).toEqual(summaryOf(plan));
});

test.each([null, 7, [], 'text', { title: 7, period: [], subject: null, category: {} }])(
  'accepts any shape: %j',
  (record) => {
    const { title, end } = summaryOf(record);
    expect([title, end]).toEqual(['', '']);
  },
);
